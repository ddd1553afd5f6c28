/** A JSON object of unknown content. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether the value is a JSON object, and neither null nor an array. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value if it is an object, otherwise undefined. */
export const asObject = (value: unknown): JsonObject | undefined => (isObject(value) ? value : undefined);

/** The value if it is a string, otherwise undefined. */
export const asString = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** The value if it is an array, otherwise an empty one. */
export const asArray = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as unknown[]) : [];

/** The parsed text; undefined if it is not JSON, which callers report in their own words. */
export function tryParseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** The object that a file holds, which may begin with a byte order mark. */
export const parsedObject = (content: string): JsonObject | undefined =>
  asObject(tryParseJson(content.replace(/^\uFEFF/, ''))?.value);
