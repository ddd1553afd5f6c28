import { replaceUnprintable } from 'pulumi-edge-policy/internal/values/printable';

/** A number with its noun: `1 rule`, `2 rules`. */
export const count = (number: number, noun: string): string =>
  `${number} ${number === 1 ? noun : `${noun}s`}`;

/** A text on one line, capped, with nothing in it that a terminal would act on. */
export function safeText(text: string, longest = 60): string {
  const characters = Array.from(replaceUnprintable(text.slice(0, longest * 2), () => '\ufffd'));
  const isCut = characters.length > longest || text.length > longest * 2;
  return isCut ? `${characters.slice(0, longest - 1).join('')}…` : characters.join('');
}

/** Lays rows out in columns, as wide as their widest cell; the last column is not padded. */
export function table(rows: readonly (readonly string[])[], indent = ''): string {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, lengthOf(cell))));
  }
  return rows
    .map(
      (row) =>
        `${indent}${row
          .map((cell, column) => padded(cell, widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

const lengthOf = (cell: string): number => Array.from(cell).length;

const padded = (cell: string, width: number): string => cell + ' '.repeat(width - lengthOf(cell));

/** Larger numbers lose digits when they are parsed. */
const isShown = (value: unknown): boolean =>
  typeof value === 'string' || (typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER);

/** The texts and numbers in the metadata of a rule, such as owner and ticket, if it is a JSON object. */
export function metadataMembers(metadata: unknown): ReadonlyMap<string, string> {
  try {
    const members: unknown = typeof metadata === 'string' ? JSON.parse(metadata) : {};
    const shown = Object.entries(members ?? {}).filter(([, value]) => isShown(value));
    return new Map(shown.map(([name, value]) => [name, String(value)]));
  } catch {
    return new Map();
  }
}
