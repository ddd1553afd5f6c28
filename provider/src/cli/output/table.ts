import { textWidth } from '../../adopt/code/text-width';

/** Lays rows out in columns, as wide as their widest cell; the last column is left ragged. */
export function table(rows: readonly (readonly string[])[], indent = ''): string {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, textWidth(cell))));
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

const padded = (cell: string, width: number): string => cell + ' '.repeat(width - textWidth(cell));
