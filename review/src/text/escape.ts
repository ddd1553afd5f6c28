import { replaceUnprintable, spellOut } from 'pulumi-edge-policy/internal/values/printable';
import { type Foreign, isForeign, type Sentence } from './sentence';

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const LENGTH_LIMIT = 300;

/** Foreign text on one line, capped, with invisible characters spelt out as `\u{202e}`. */
export function visible(text: string, lengthLimit = LENGTH_LIMIT): string {
  const characters = Array.from(text.slice(0, 2 * lengthLimit));
  const isCut = characters.length > lengthLimit || text.length > 2 * lengthLimit;
  const shown = characters.slice(0, lengthLimit).join('');
  return (
    replaceUnprintable(shown, (character) => SHORT[character] ?? spellOut(character)) + (isCut ? '…' : '')
  );
}

export const plain = (sentence: Sentence): string =>
  sentence.map((run) => (isForeign(run) ? `"${visible(run.foreign).replaceAll('"', '\\"')}"` : run)).join('');

/** Foreign text becomes a code span, in which no mark-up, mention or link works; pages that our words name are linked below `pages`. */
export const markdown = (sentence: Sentence, pages?: string): string =>
  sentence
    .map((run) => (isForeign(run) ? foreignSpan(run, pages) : linked(escapeWords(run), pages)))
    .join('');

const foreignSpan = ({ foreign, page }: Foreign, pages?: string): string =>
  page === undefined || pages === undefined ? codeSpan(foreign) : `[${codeSpan(foreign)}](${pages}/${page})`;

const linked = (words: string, pages?: string): string =>
  pages === undefined
    ? words
    : words.replace(/docs\/([a-z-]+\.md)( in the package pulumi-edge-policy)?/g, `[docs/$1](${pages}/$1)`);

/** Escapes a cell of a table, where a pipe would end the cell even inside a code span. */
export const markdownCell = (sentence: Sentence): string =>
  sentence
    .map((run) =>
      isForeign(run) ? escapePipes(codeSpan(run.foreign)) : escapeWords(run).replaceAll('|', '\\|'),
    )
    .join('');

/** A code span that the text inside cannot end: its fence is longer than any run of back-ticks in the text. */
export function codeSpan(text: string): string {
  const shown = visible(text);
  if (shown === '') return '(empty)';
  const longestRun = Math.max(0, ...Array.from(shown.matchAll(/`+/g), (match) => match[0].length));
  const fence = '`'.repeat(longestRun + 1);
  const needsPadding = /^[` ]|[` ]$/.test(shown);
  return needsPadding ? `${fence} ${shown} ${fence}` : `${fence}${shown}${fence}`;
}

// Engines disagree on whether `\\|` ends a cell, so a pipe after a back-slash is spelt out.
const escapePipes = (code: string): string =>
  code.replace(/(\\*)\|/g, (_match, slashes: string) => (slashes === '' ? '\\|' : `${slashes}\\u{7c}`));

/** Our own words contain no mark-up, but a stray character in one must not become some. */
const escapeWords = (text: string): string => text.replace(/[\\`*_[\]<>#~]/g, '\\$&');
