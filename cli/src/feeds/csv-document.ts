import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { echo } from 'pulumi-edge-policy/internal/values/failure';

/** A cell, in quotes or without any, and what ends it (RFC 4180). */
const CELL = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r?\n|$)/y;

/**
 * One column of a document of comma-separated values, by its name in the first line.
 *
 * @throws UserError if the document is no such table, or has not exactly one column of that name.
 */
export function columnOf(text: string, name: string): readonly string[] {
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
    const found = CELL.exec(text);
    if (!found)
      throw new UserError(
        `its row ${rows.length} has a quote or a line break that is not within a quoted cell`,
      );
    const [whole, quoted, plain = ''] = found;
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    end = found[3] ?? '';
    if (end !== ',' && end !== '') rows.push([]);
    at += whole.length;
  }
  return rows;
}
