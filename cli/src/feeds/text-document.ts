import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { echo } from 'pulumi-edge-policy/internal/values/failure';
import type { Format } from 'pulumi-edge-policy/internal/feeds/feed-declaration';
import { asList, asText, readJson, textAt, valueAt } from './json-document';

/** Where a document has its networks. */
export interface Place {
  readonly format: Format;
  /** A JSON Pointer to the list; for documents in JSON only. */
  readonly pointer?: string | undefined;
  /** The member of an object, or the column, that holds the network. */
  readonly field?: string | undefined;
}

/**
 * The networks of a document in a general format, as written there.
 *
 * @throws UserError if the document is not of that format.
 */
export const readDocument = (text: string, place: Place): readonly string[] =>
  readers[place.format](text, place);

const readers: Readonly<Record<Format, (text: string, place: Place) => readonly string[]>> = {
  text: (text) => linesOf(text),
  json: (text, { pointer = '', field }) =>
    asList(
      valueAt(readJson(text), pointer),
      pointer === '' ? 'it' : `what ${JSON.stringify(pointer)} leads to`,
    ).map((item) => networkOf(item, field)),
  jsonl: (text, { field }) => linesOf(text).map((line) => networkOf(readJson(line), field)),
  csv: (text, { field }) => {
    const [first = [], ...rest] = linesOf(text).map(cellsOf);
    const column = field === undefined ? 0 : first.indexOf(field);
    if (column < 0) throw new UserError(`it has no column ${JSON.stringify(field)}`);
    return (field === undefined ? [first, ...rest] : rest).map((cells) => cells[column] ?? '');
  },
};

const networkOf = (item: unknown, field: string | undefined): string =>
  field === undefined ? asText(item, 'an entry') : textAt(item, field);

/** The lines with content: a comment begins with `#` or `;`, after spaces or at the beginning of a line. */
export const linesOf = (text: string): readonly string[] =>
  text.split(/\r\n|\n|\r/).flatMap((line) => {
    const said = line.replace(/(?:^|\s)[#;].*$/, '').trim();
    return said === '' ? [] : [said];
  });

const CELL = /\s*(?:"((?:[^"]|"")*)"|([^",]*))\s*(?:,|$)/y;
/** A longer line that is no CSV would take long to refuse. */
const LONGEST_LINE = 10_000;

/** The cells of a line. A quoted cell may contain commas and doubled quotes, but no line ends. */
function cellsOf(line: string): string[] {
  const cells: string[] = [];
  CELL.lastIndex = 0;
  do {
    const match = line.length > LONGEST_LINE ? null : CELL.exec(line);
    if (match === null) throw new UserError(`${echo(line)} is not a line of CSV`);
    cells.push(match[1]?.replaceAll('""', '"') ?? (match[2] ?? '').trim());
  } while (CELL.lastIndex < line.length);
  return cells;
}
