import { UserError } from '../errors/user-error';
import { typeName } from '../values/failure';

/** The members of a JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** @throws UserError where the text is no JSON: what was cut short is none either. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new UserError('it is not JSON, or was truncated');
  }
}

/** Whether a value has members with names. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @throws UserError where a value is no object. */
export function asObject(value: unknown): JsonObject {
  if (isObject(value)) return value;
  throw new UserError(`it has ${typeName(value)} instead of an object`);
}

/** @throws UserError where a value is no list. */
export function asList(value: unknown, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value as readonly unknown[];
  throw new UserError(`${what} is ${typeName(value)}, not a list`);
}

/** @throws UserError where a value is no text. */
export function asText(value: unknown, what: string): string {
  if (typeof value === 'string') return value;
  throw new UserError(`${what} is ${typeName(value)}, not a text`);
}

/** A list that an object holds. */
export const listAt = (value: unknown, key: string): readonly unknown[] =>
  asList(memberOf(value, key), JSON.stringify(key));

/** A text that an object holds. */
export const textAt = (value: unknown, key: string): string =>
  asText(memberOf(value, key), JSON.stringify(key));

/** A list of texts that an object holds. */
export const textsAt = (value: unknown, key: string): readonly string[] =>
  listAt(value, key).map((text) => asText(text, `a member of ${JSON.stringify(key)}`));

/** A text or number that an object holds, as a text; nothing where it holds none. */
export function labelAt(value: unknown, key: string): string | undefined {
  const label = memberOf(value, key);
  return typeof label === 'string' || typeof label === 'number' ? String(label) : undefined;
}

function memberOf(value: unknown, key: string): unknown {
  const members = asObject(value);
  return Object.hasOwn(members, key) ? members[key] : undefined;
}

/**
 * The value that a JSON Pointer (RFC 6901) leads to.
 *
 * @throws UserError where it leads nowhere.
 */
export function valueAt(document: unknown, pointer: string): unknown {
  const steps = pointer.split('/').slice(1);
  return steps.reduce<unknown>((value, step) => {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    const isContainer = typeof value === 'object' && value !== null;
    if (isContainer && Object.hasOwn(value, key)) return (value as JsonObject)[key];
    throw new UserError(`the pointer ${JSON.stringify(pointer)} does not exist in it`);
  }, document);
}
