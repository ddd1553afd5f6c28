import fc from 'fast-check';
import { codeSpan, markdown, markdownCell, plain, visible } from '../../../review/src/text/escape';
import { foreign, say } from '../../../review/src/text/sentence';
import { anyCharacter } from '../../support/any-character';

const nasty = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...'` `` ``` | \\ \\| < > <!-- --> @team #1 ![x](y) [a](b) https://x.example ~ " \' &lt; </code>'.split(
          ' ',
        ),
      ),
      fc.constantFrom(...'\u001b[31m,\u202e,\u2066,\u200b,\ufeff,\r,\n,\t,\u0000,\ud800, '.split(',')),
      fc.string({ unit: anyCharacter, maxLength: 4 }),
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.join(''));

/** The content of the one code span that a line consists of, by the rule of CommonMark 6.1; nothing if it is not one. */
function contentOfCodeSpan(line: string): string | undefined {
  const fence = /^`+/.exec(line)?.[0];
  if (fence === undefined) return undefined;
  const closing = Array.from(line.slice(fence.length).matchAll(/`+/g)).find((match) => match[0] === fence);
  if (closing?.index !== line.length - 2 * fence.length) return undefined;
  const content = line.slice(fence.length, -fence.length);
  const isPadded = content.startsWith(' ') && content.endsWith(' ') && content.trim() !== '';
  return isPadded ? content.slice(1, -1) : content;
}

test('a code span holds the visible text and cannot be ended from inside', () => {
  fc.assert(
    fc.property(nasty, (text) => {
      const shown = visible(text);
      if (shown === '') expect(codeSpan(text)).toBe('(empty)');
      else if (shown.trim() !== '') expect(contentOfCodeSpan(codeSpan(text))).toBe(shown);
      else expect(codeSpan(text)).toMatch(/^` +`$/);
    }),
    { numRuns: 1000 },
  );
});

/** Splits a table row as GitHub's parser does: a back-slash takes the next character with it. */
const cellsOf = (row: string): number => (row.replace(/\\[^\n]/g, '').match(/\|/g) ?? []).length - 1;
/** Splits it as a parser does that knows an escaped pipe and no other escape. */
const cellsOfSimpleParser = (row: string): number =>
  (row.replaceAll('\\|', '').match(/\|/g) ?? []).length - 1;

test('a cell of a table stays one cell, whichever way a parser reads back-slashes', () => {
  fc.assert(
    fc.property(nasty, (text) => {
      const row = `| ${markdownCell(say`${foreign(text)}`)} | end |`;
      expect(row).not.toMatch(/[\r\n]/);
      expect(cellsOf(row)).toBe(2);
      expect(cellsOfSimpleParser(row)).toBe(2);
    }),
    { numRuns: 1000 },
  );
});

test('no format lets through what cannot be seen or what a terminal acts on', () => {
  fc.assert(
    fc.property(nasty, (text) => {
      const sentence = say`The rule ${foreign(text)} is odd.`;
      for (const output of [plain(sentence), markdown(sentence), markdownCell(sentence)]) {
        expect(output).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      }
    }),
    { numRuns: 1000 },
  );
});

test('foreign text is shown on one line and capped', () => {
  expect(visible('a\nb\u001b[31mc\u202ed')).toBe('a\\nb\\u{1b}[31mc\\u{202e}d');
  expect(visible('x'.repeat(5000))).toBe(`${'x'.repeat(300)}…`);
  expect(visible('🦊'.repeat(5000), 3)).toBe('🦊🦊🦊…');
});

test('our own words cannot become mark-up either', () => {
  expect(markdown(['a <b> _c_ `d`'])).toBe('a \\<b\\> \\_c\\_ \\`d\\`');
});
