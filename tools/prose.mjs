// `node tools/prose.mjs`: what the documentation costs its readers. The words of each page that are written by hand, and the
// thirty sentences of the user pages that are the hardest to read. A report to a writer: nothing fails because of it.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const files = execFileSync('git', ['ls-files', '--', '*.md'], { encoding: 'utf8' }).trim().split('\n');
const pages = files
  .filter((file) => !file.startsWith('tests/'))
  .map((file) => ({ file, text: byHand(file) }));

/** The text without the parts, or without the whole page, that a command writes. @param {string} file */
function byHand(file) {
  const text = readFileSync(file, 'utf8');
  if (text.includes('<!-- Written by ')) return '';
  return text.replace(/<!-- begin: [^]*?<!-- end: [^>]*-->/g, '');
}

/** @param {string} text */
const words = (text) => text.split(/\s+/).filter(Boolean).length;

/** @param {string} file */
const isForUsers = (file) => /^(README|docs\/(?!contributing|design))/.test(file);

/** Sentences of paragraphs and list items: no code, no tables, no headings. @param {string} text */
const sentences = (text) =>
  text
    .replace(/^```[^]*?^```/gm, '\n')
    .replace(/^(#|\||<).*$/gm, '\n')
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )/)
    .map((paragraph) =>
      paragraph
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .flatMap((paragraph) => paragraph.split(/(?<=[.!?])\s+(?=[A-Z`"*])/));

/** @type {(sentence: string, pattern: RegExp) => number} */
const count = (sentence, pattern) => sentence.match(pattern)?.length ?? 0;

/** One point for each word over twenty; each colon, semicolon, negative and comma beyond two makes a reader start again. @param {string} sentence */
const burden = (sentence) =>
  Math.max(0, words(sentence) - 20) +
  5 * count(sentence, /[:;](?= )/g) +
  4 *
    Math.max(
      0,
      count(sentence, /\b(?:no|not|never|nothing|nobody|none|neither|nor|without|cannot)\b/gi) - 1,
    ) +
  2 * Math.max(0, count(sentence, /,/g) - 2);

const counted = pages
  .map(({ file, text }) => ({ file, words: words(text) }))
  .sort((a, b) => b.words - a.words);
for (const page of counted.filter((each) => each.words > 0))
  console.log(String(page.words).padStart(6), page.file);
console.log(String(counted.reduce((sum, page) => sum + page.words, 0)).padStart(6), 'words by hand\n');

const worst = pages
  .filter(({ file }) => isForUsers(file))
  .flatMap(({ file, text }) =>
    sentences(text).map((sentence) => ({ file, sentence, burden: burden(sentence) })),
  )
  .sort((a, b) => b.burden - a.burden);
for (const each of worst.slice(0, 30)) console.log(`${each.burden} ${each.file}\n   ${each.sentence}`);
