// For documents that people write, where a misspelt key must not switch anything off, and for answers of the service.
import { echo, typeName } from './failure';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is an object, and no list. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A document that cannot be used. The message has the place, and what is expected there. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
}

/** Reads the value at a place of a document, or throws a {@link DocumentError}. */
export type Reader<T> = (value: unknown, place: string) => T;

/** Reads with `read`, which returns undefined for what it does not understand. */
export const reading =
  <T>(expected: string, read: (value: unknown) => T | undefined): Reader<T> =>
  (value, place) => {
    const result = read(value);
    if (result === undefined) throw new DocumentError(`${place} must be ${expected}.`);
    return result;
  };

export const checked =
  <T>(read: Reader<T>, problemOf: (value: T) => string | undefined): Reader<T> =>
  (value, place) => {
    const result = read(value, place);
    const problem = problemOf(result);
    if (problem !== undefined) throw new DocumentError(`${place}: ${problem}.`);
    return result;
  };

export const text = reading('a string', (value) => (typeof value === 'string' ? value : undefined));

export const name = reading('a string that is not empty', (value) =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined,
);

export const toggle = reading('true or false', (value) => (typeof value === 'boolean' ? value : undefined));

/** The limits are included. */
export const numberFrom = (least: number, most: number): Reader<number> =>
  reading(`a number from ${least} to ${most}`, (value) =>
    typeof value === 'number' && value >= least && value <= most ? value : undefined,
  );

export function wholeNumberFrom(least: number, most = Number.MAX_SAFE_INTEGER): Reader<number> {
  const limits = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  return reading(`a whole number ${limits}`, (value) =>
    Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most
      ? Number(value)
      : undefined,
  );
}

export const oneOf = <T extends string>(choices: readonly T[]): Reader<T> =>
  reading(`one of ${choices.join(', ')}`, (value) => choices.find((choice) => choice === value));

// `encodeURIComponent('..')` is `..`: encoding does not make an identifier safe in a path, only a closed alphabet does. It consists
// of the characters that no URL escapes. `.` and `..` would be steps in the path.
const SAFE_IN_PATH = /^(?!\.{1,2}$)[A-Za-z0-9._~-]{1,128}$/;

/** The characters of identifiers, for sentences. */
export const ID_CHARACTERS = 'letters, digits, ".", "_", "~" and "-"';

/** 1 to 128 of these characters, but neither `.` nor `..`. */
export const isSafeId = (value: unknown): value is string =>
  typeof value === 'string' && SAFE_IN_PATH.test(value);

export const identifier = reading(`an identifier of ${ID_CHARACTERS}`, (value) =>
  isSafeId(value) ? value : undefined,
);

export const listOf =
  <T>(read: Reader<T>): Reader<readonly T[]> =>
  (value, place) => {
    if (!Array.isArray(value)) throw new DocumentError(`${place} must be a list.`);
    return value.map((entry: unknown, index) => read(entry, `${place}[${index}]`));
  };

export const optional =
  <T>(read: Reader<T>): Reader<T | undefined> =>
  (value, place) =>
    value === undefined ? undefined : read(value, place);

export const object: Reader<JsonObject> = (value, place) => {
  if (isObject(value)) return value;
  throw new DocumentError(`${place} must be an object, not ${typeName(value)}.`);
};

/** An object whose keys are not fixed; `problemOf` gives the reason why one of them cannot be used. */
export const recordOf =
  <T>(
    read: Reader<T>,
    problemOf: (key: string) => string | undefined = () => undefined,
  ): Reader<ReadonlyMap<string, T>> =>
  (value, place) =>
    new Map(
      Object.entries(object(value, place)).map(([key, member]) => {
        const memberPlace = /^[\w-]+$/.test(key) ? `${place}.${key}` : `${place}[${echo(key)}]`;
        const problem = problemOf(key);
        if (problem !== undefined) throw new DocumentError(`${memberPlace}: ${problem}.`);
        return [key, read(member, memberPlace)];
      }),
    );

export type Members<T> = {
  readonly [K in keyof T]-?: object extends Pick<T, K> ? Reader<T[K] | undefined> : Reader<T[K]>;
};

/** An object with these members, in this order; others are left out, and so are absent ones. */
export function membersOf<T extends object>(members: Members<T>, separator = '.'): Reader<T> {
  const readers = Object.entries<Reader<unknown>>(members);
  return (value, place) => {
    const given = object(value, place);
    const present: Record<string, unknown> = {};
    for (const [key, read] of readers) {
      const member = read(given[key], `${place}${separator}${key}`);
      if (member !== undefined) present[key] = member;
    }
    return present as T;
  };
}

export const objectOf =
  <T extends object>(members: Members<T>, separator = '.'): Reader<T> =>
  (value, place) => {
    const unexpected = Object.keys(object(value, place)).find((key) => !Object.hasOwn(members, key));
    if (unexpected === undefined) return membersOf(members, separator)(value, place);
    const keys = Object.keys(members).join(', ');
    throw new DocumentError(`${place} has the unknown key ${echo(unexpected)}; its keys are ${keys}.`);
  };
