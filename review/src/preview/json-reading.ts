/** A JSON object of which nothing is known yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether the value is a JSON object, and neither null nor an array. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value if it is an object, else nothing. */
export const asObject = (value: unknown): JsonObject | undefined => (isObject(value) ? value : undefined);

/** The value if it is a string, else nothing. */
export const asString = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** The value if it is an array, else an empty one. */
export const asArray = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as unknown[]) : [];

/** The parsed text, or nothing when it is not JSON: callers say in their own words what that means. */
export function tryParseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
