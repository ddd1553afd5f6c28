import type { Block, ListItem, Tone } from './blocks';
import { compose } from './compose';
import { plain } from '../text/escape';
import type { Report } from './report';
import { trusted } from '../text/sentence';

const UNLIMITED = { findings: Infinity, rows: 100 };

/** The report for a terminal; with colours only if the caller says that it is one. */
export const renderText = (report: Report, { hasColours }: { readonly hasColours: boolean }): string =>
  `${compose(report, UNLIMITED)
    .map((block) => blockToText(block, hasColours ? paint : plainly))
    .join('\n\n')}\n`;

type Painter = (text: string, tone: Tone | 'strong') => string;

const CODES: Readonly<Record<Tone | 'strong', string>> = {
  good: '32',
  bad: '31',
  doubtful: '33',
  plain: '0',
  strong: '1',
};
const paint: Painter = (text, tone) => `\u001b[${CODES[tone]}m${text}\u001b[0m`;
const plainly: Painter = (text) => text;

function blockToText(block: Block, painter: Painter): string {
  switch (block.kind) {
    case 'heading':
      return painter(plain(block.text), 'strong');
    case 'paragraph':
      return painter(plain(block.text), block.tone ?? 'plain');
    case 'list':
      return block.items.map((item) => itemToText(item, painter)).join('\n');
    case 'table':
      return tableToText([block.head, ...block.rows.map((row) => row.map(plain))]);
    case 'fold':
      return [
        painter(plain(trusted(block.summary)), 'strong'),
        ...block.blocks.map((inner) => blockToText(inner, painter)),
      ].join('\n');
  }
}

function itemToText({ label, text, notes = [] }: ListItem, painter: Painter): string {
  const sign = label ? `${painter(label.text.toUpperCase(), label.tone)} ` : '';
  return [`- ${sign}${plain(text)}`, ...notes.map((note) => `    ${plain(note)}`)].join('\n');
}

function tableToText(rows: readonly (readonly string[])[]): string {
  const columns = rows[0]?.length ?? 0;
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
    .join('\n');
}
