import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { typeName, echo } from 'pulumi-edge-policy/internal/values/failure';
import type { FeedSource, Format } from 'pulumi-edge-policy/internal/feeds/feed-declaration';
import { isObject, type JsonObject } from 'pulumi-edge-policy/internal/values/decoding';

type Place = Pick<FeedSource, 'pointer' | 'field'>;

/** The networks of a document in a general format, as written there. @throws UserError if the document is not of that format. */
export const readDocument = (text: string, source: FeedSource): readonly string[] =>
  readers[source.format ?? 'text'](text, source);

const readers: Readonly<Record<Format, (text: string, place: Place) => readonly string[]>> = {
  csv: (text, { field = '' }) => columnOf(text, field),
  text: (text) => linesOf(text),
  json: (text, { pointer = '', field }) =>
    asList(
      valueAt(readJson(text), pointer),
      pointer === '' ? 'it' : `what ${JSON.stringify(pointer)} leads to`,
    ).map((item) => (field === undefined ? asText(item, 'an entry') : textAt(item, field))),
};

/** The lines with content: a comment begins with `#` or `;`, after spaces or at the beginning of a line. */
export const linesOf = (text: string): readonly string[] =>
  text.split(/\r\n|\n|\r/).flatMap((line) => {
    const said = line.replace(/(?:^|\s)[#;].*$/, '').trim();
    return said === '' ? [] : [said];
  });

export function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new UserError('it is not JSON, or was truncated');
  }
}

export function asObject(value: unknown): JsonObject {
  if (isObject(value)) return value;
  throw new UserError(`it has ${typeName(value)} instead of an object`);
}

function asList(value: unknown, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value as readonly unknown[];
  throw new UserError(`${what} is ${typeName(value)}, not a list`);
}

function asText(value: unknown, what: string): string {
  if (typeof value === 'string') return value;
  throw new UserError(`${what} is ${typeName(value)}, not a text`);
}

export const listAt = (value: unknown, key: string): readonly unknown[] =>
  asList(memberOf(value, key), JSON.stringify(key));

export const textAt = (value: unknown, key: string): string =>
  asText(memberOf(value, key), JSON.stringify(key));

export const textsAt = (value: unknown, key: string): readonly string[] =>
  listAt(value, key).map((text) => asText(text, `a member of ${JSON.stringify(key)}`));

export function labelAt(value: unknown, key: string): string | undefined {
  const label = memberOf(value, key);
  return typeof label === 'string' ? label : undefined;
}

function memberOf(value: unknown, key: string): unknown {
  const members = asObject(value);
  return Object.hasOwn(members, key) ? members[key] : undefined;
}

/** The value at a JSON Pointer (RFC 6901). @throws UserError if there is none. */
function valueAt(document: unknown, pointer: string): unknown {
  const steps = pointer.split('/').slice(1);
  return steps.reduce<unknown>((value, step) => {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    const isContainer = typeof value === 'object' && value !== null;
    if (isContainer && Object.hasOwn(value, key)) return (value as JsonObject)[key];
    throw new UserError(`the pointer ${JSON.stringify(pointer)} does not exist in it`);
  }, document);
}

/** A cell, in quotes or without any, and what ends it (RFC 4180). */
const CELL = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r?\n|$)/y;

/**
 * One column of a document of comma-separated values, by its name in the first line.
 *
 * @throws UserError if the document is no such table, or has not exactly one column of that name.
 */
function columnOf(text: string, name: string): readonly string[] {
  const [head = [], ...rows] = rowsOf(text.replace(/(?:\r?\n)+$/, ''));
  const column = head.indexOf(name);
  if (column < 0 || head.includes(name, column + 1))
    throw new UserError(
      `its first line must name the column ${echo(name)} once, and has ${head.slice(0, 10).map(echo).join(', ')}`,
    );
  return rows.map((row, index) => {
    if (row.length === head.length) return row[column] ?? '';
    throw new UserError(
      `its row ${index + 2} has another number of cells than its first line: ${row.length} instead of ${head.length}`,
    );
  });
}

function rowsOf(text: string): string[][] {
  const rows: string[][] = [[]];
  let at = 0;
  for (let end: string | undefined = ','; end !== '';) {
    CELL.lastIndex = at;
    const cell = CELL.exec(text);
    if (!cell)
      throw new UserError(
        `its row ${rows.length} has a quote or a line break that is not within a quoted cell`,
      );
    const [whole, quoted, plain = ''] = cell;
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    end = cell[3] ?? '';
    if (end !== ',' && end !== '') rows.push([]);
    at += whole.length;
  }
  return rows;
}
