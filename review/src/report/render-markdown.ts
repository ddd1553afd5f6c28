import type { Block, ListItem } from './blocks';
import { compose } from './compose';
import { markdown, markdownCell } from '../text/escape';
import type { Report } from './report';

/** Comments on the usual platforms are limited to 65,536 characters; the rest is for the caller's own text. */
export const MARKDOWN_LIMIT = 60_000;

/** The shortest possible finding: with it, thousands need not be rendered to see that they are too many. */
const SHORTEST_FINDING = 100;
const [MOST_ROWS, FEWEST_ROWS] = [100, 3];

/** Cut to `limit`: long tables first, then the least severe findings, with counts. `pages` is the address of the documentation. */
export function renderMarkdown(report: Report, limit = MARKDOWN_LIMIT, pages?: string): string {
  let findings = Math.min(report.findings.length, Math.ceil(limit / SHORTEST_FINDING));
  let rows = findings < report.findings.length ? FEWEST_ROWS : MOST_ROWS;
  for (;;) {
    const text = blocksToMarkdown(compose(report, { findings, rows }), pages);
    if (text.length < limit || findings === 0) return text;
    if (rows > FEWEST_ROWS) rows = Math.floor(rows / 3);
    else findings = Math.floor(findings * Math.min(0.95, limit / text.length));
  }
}

const blocksToMarkdown = (blocks: readonly Block[], pages?: string): string =>
  `${blocks.map((block) => blockToMarkdown(block, pages)).join('\n\n')}\n`;

const TONE_SIGNS = { good: '🟢', bad: '🔴', doubtful: '🟡', plain: '⚪' } as const;

function blockToMarkdown(block: Block, pages?: string): string {
  switch (block.kind) {
    case 'heading':
      return `## ${markdown(block.text)}`;
    case 'paragraph':
      return block.tone
        ? `${TONE_SIGNS[block.tone]} **${markdown(block.text)}**`
        : markdown(block.text, pages);
    case 'list':
      return block.items.map((item) => itemToMarkdown(item, pages)).join('\n');
    case 'table':
      return [
        `| ${block.head.join(' | ')} |`,
        `|${' --- |'.repeat(block.head.length)}`,
        ...block.rows.map((row) => `| ${row.map(markdownCell).join(' | ')} |`),
      ].join('\n');
    case 'fold':
      return `<details><summary>${block.summary}</summary>\n\n${block.blocks.map((inside) => blockToMarkdown(inside, pages)).join('\n\n')}\n\n</details>`;
  }
}

function itemToMarkdown({ label, text, notes = [] }: ListItem, pages?: string): string {
  const sign = label ? `${TONE_SIGNS[label.tone]} **${label.text}** ` : '';
  return [`- ${sign}${markdown(text, pages)}`, ...notes.map((note) => `  <br>${markdown(note, pages)}`)].join(
    '\n',
  );
}
