import type { Known } from '../model/known';
import { readText } from '../model/read-rules';
import type { JsonObject } from '../preview/json-reading';
import { isObject } from '../preview/json-reading';

/** An assertion file that cannot be used; the message says where, and what is expected. */
export class AssertionFileError extends Error {
  override readonly name = 'AssertionFileError';
}

/** A text that is not empty. */
export function textOf(entry: JsonObject, key: string, place: string): string {
  const value = entry[key];
  if (typeof value !== 'string' || value.trim() === '')
    throw new AssertionFileError(`${place}.${key} must be a string.`);
  return value;
}

/** One of a closed list of texts; undefined if the key is absent. */
export function choiceOf<T extends string>(
  entry: JsonObject,
  key: string,
  { choices, place }: { readonly choices: readonly T[]; readonly place: string },
): T | undefined {
  if (entry[key] === undefined) return undefined;
  const found = choices.find((choice) => choice === entry[key]);
  if (found === undefined)
    throw new AssertionFileError(`${place}.${key} must be one of ${choices.join(', ')}.`);
  return found;
}

/** An identifier, which may be hidden if a program states its assertions. */
export function identifierOf(entry: JsonObject, key: string, place: string): Known<string> {
  const value = readText(entry[key]);
  if (!value.isKnown && value.obstacle === 'unreadable')
    throw new AssertionFileError(`${place}.${key} must be a string.`);
  return value;
}

/** A list of objects; empty if there is none. */
export function objectsOf(value: unknown, place: string): JsonObject[] {
  return listOf(value, place).map((entry, index) => objectOf(entry, `${place}[${index}]`));
}

/** An object. */
export function objectOf(value: unknown, place: string): JsonObject {
  if (!isObject(value)) throw new AssertionFileError(`${place} must be an object.`);
  return value;
}

/** A list; empty if there is none. */
export function listOf(value: unknown, place: string): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new AssertionFileError(`${place} must be a list.`);
  return value as unknown[];
}

/** A list of texts; undefined if the key is absent, as an empty list means something else. */
export function textsOf(entry: JsonObject, key: string, place: string): readonly string[] | undefined {
  if (entry[key] === undefined) return undefined;
  return listOf(entry[key], `${place}.${key}`).map((text, index) => {
    if (typeof text !== 'string') throw new AssertionFileError(`${place}.${key}[${index}] must be a string.`);
    return text;
  });
}

/** A count; undefined if the key is absent. */
export function wholeNumberOf(entry: JsonObject, key: string, place: string): number | undefined {
  const value = entry[key];
  if (value === undefined || (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1))
    return value;
  throw new AssertionFileError(`${place}.${key} must be a whole number of at least 1.`);
}

/** Refuses an unknown key: a misspelt one must not switch a check off. */
export function checkKeys(object: JsonObject, allowed: readonly string[], place: string): void {
  const unexpected = Object.keys(object).find((key) => !allowed.includes(key));
  if (unexpected !== undefined) {
    throw new AssertionFileError(
      `${place} has the unknown key ${JSON.stringify(unexpected)}; its keys are ${allowed.join(', ')}.`,
    );
  }
}
