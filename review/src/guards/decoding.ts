import type { Known } from '../model/known';
import { readText } from '../model/read-rules';
import { asObject, asString, type JsonObject, tryParseJson } from '../preview/json-reading';

/** An assertion file or plan that cannot be used; the message says where, and what is expected. */
export class GuardFileError extends Error {
  override readonly name = 'GuardFileError';
}

/** Reads the value at a place of a file, or throws a {@link GuardFileError}. */
export type Reader<T> = (value: unknown, place: string) => T;

/** Reads with `read`, which returns undefined for what it does not understand. */
export const reading =
  <T>(expected: string, read: (value: unknown) => T | undefined): Reader<T> =>
  (value, place) => {
    const result = read(value);
    if (result === undefined) throw new GuardFileError(`${place} ${expected}.`);
    return result;
  };

/** A text, which may be empty. */
export const text = reading('must be a string', asString);

/** A text that is not empty. */
export const name = reading('must be a string', (value) =>
  asString(value)?.trim() === '' ? undefined : asString(value),
);

/** A switch. */
export const toggle = reading('must be true or false', (value) =>
  typeof value === 'boolean' ? value : undefined,
);

const wholeNumber = (least: number): Reader<number> =>
  reading(`must be a whole number of at least ${least}`, (value) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= least ? value : undefined,
  );

/** A number of rules or days. */
export const count = wholeNumber(1);

/** A number of clients, which may be none. */
export const countOrNone = wholeNumber(0);

/** An identifier, which may be hidden if a program states its assertions. */
export const identifier: Reader<Known<string>> = reading('must be a string', (value) => {
  const id = readText(value);
  return !id.isKnown && id.obstacle === 'unreadable' ? undefined : id;
});

/** Any object. */
export const object = reading('must be an object', asObject);

/** One of a closed list of texts. */
export const oneOf = <T extends string>(choices: readonly T[]): Reader<T> =>
  reading(`must be one of ${choices.join(', ')}`, (value) => choices.find((choice) => choice === value));

/** A list. */
export const listOf =
  <T>(read: Reader<T>): Reader<readonly T[]> =>
  (value, place) => {
    if (!Array.isArray(value)) throw new GuardFileError(`${place} must be a list.`);
    return value.map((entry: unknown, index) => read(entry, `${place}[${index}]`));
  };

/** What may be absent. */
export const optional =
  <T>(read: Reader<T>): Reader<T | undefined> =>
  (value, place) =>
    value === undefined ? undefined : read(value, place);

type Members<T> = {
  readonly [K in keyof T]-?: object extends Pick<T, K> ? Reader<T[K] | undefined> : Reader<T[K]>;
};

/**
 * An object with these members, in this order; absent ones are omitted. An unknown key is refused: a misspelt one must not switch
 * a check off.
 */
export const objectOf =
  <T extends object>(members: Members<T>, separator = '.'): Reader<T> =>
  (value, place) => {
    const given = object(value, place);
    const unexpected = Object.keys(given).find((key) => !Object.hasOwn(members, key));
    if (unexpected !== undefined) {
      const keys = Object.keys(members).join(', ');
      throw new GuardFileError(
        `${place} has the unknown key ${JSON.stringify(unexpected)}; its keys are ${keys}.`,
      );
    }
    const entries = Object.entries<Reader<unknown>>(members).map(
      ([key, read]) => [key, read(given[key], `${place}${separator}${key}`)] as const,
    );
    return Object.fromEntries(entries.filter(([, member]) => member !== undefined)) as T;
  };

/** The object that a file holds, which may begin with a byte order mark. */
export const parsedObject = (content: string): JsonObject | undefined =>
  asObject(tryParseJson(content.replace(/^\uFEFF/, ''))?.value);
