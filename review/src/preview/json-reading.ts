import { isObject, type JsonObject } from 'pulumi-edge-policy/internal/values/decoding';

export { isObject, type JsonObject };

export const asObject = (value: unknown): JsonObject | undefined => (isObject(value) ? value : undefined);

export const asString = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

export const asArray = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as unknown[]) : [];

export const present = <T extends object>(members: T) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    readonly [K in keyof T]?: Exclude<T[K], undefined>;
  };

/** The parsed text; undefined if it is not JSON, which callers report in their own words. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The object that a file holds, which may begin with a byte order mark. */
export const parsedObject = (content: string): JsonObject | undefined =>
  asObject(parsedJson(content.replace(/^\uFEFF/, '')));
