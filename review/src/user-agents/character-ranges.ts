// Characters of a pattern: as ranges of code points, and as classes in a JavaScript pattern.

/** The code points from the first to the last. */
export type Range = readonly [first: number, last: number];

/** Marks the start of a text. */
export const START = 0x10fffe;
/** Marks the end of a text. */
export const END = 0x10ffff;

const DIGITS: readonly Range[] = [[0x30, 0x39]];
const LETTERS: readonly Range[] = [
  [0x41, 0x5a],
  [0x61, 0x7a],
];
const WORD: readonly Range[] = [...DIGITS, [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]];
const SPACE: readonly Range[] = [
  [0x09, 0x0a],
  [0x0c, 0x0d],
  [0x20, 0x20],
];
/** Classes by the letter of their escape. */
export const PERL: Readonly<Record<string, readonly Range[]>> = { d: DIGITS, w: WORD, s: SPACE };
/** Classes by their names, as in `[[:alpha:]]`. */
export const NAMED: Readonly<Record<string, readonly Range[]>> = {
  alnum: [...DIGITS, ...LETTERS],
  alpha: LETTERS,
  ascii: [[0x00, 0x7f]],
  blank: [
    [0x09, 0x09],
    [0x20, 0x20],
  ],
  cntrl: [
    [0x00, 0x1f],
    [0x7f, 0x7f],
  ],
  digit: DIGITS,
  graph: [[0x21, 0x7e]],
  lower: [[0x61, 0x7a]],
  print: [[0x20, 0x7e]],
  punct: [
    [0x21, 0x2f],
    [0x3a, 0x40],
    [0x5b, 0x60],
    [0x7b, 0x7e],
  ],
  space: [
    [0x09, 0x0d],
    [0x20, 0x20],
  ],
  upper: [[0x41, 0x5a]],
  word: WORD,
  xdigit: [...DIGITS, [0x41, 0x46], [0x61, 0x66]],
};
/** Control characters by the letter of their escape. */
export const CONTROLS: Readonly<Record<string, number>> = { a: 7, t: 9, n: 10, v: 11, f: 12, r: 13 };

/** A character, escaped so that it has no other meaning. */
export const literal = (code: number): string => `\\u{${code.toString(16)}}`;
const rangeText = ([first, last]: Range): string =>
  first === last ? literal(first) : `${literal(first)}-${literal(last)}`;

/** The class of the characters in these ranges. */
export const classOf = (ranges: readonly Range[]): string =>
  ranges.length === 0 ? '[]' : `[${ranges.map(rangeText).join('')}]`;

/** The class of all other characters, except the two ends of a text. */
export const negationOf = (ranges: readonly Range[]): string =>
  `[^${ranges.map(rangeText).join('')}${literal(START)}${literal(END)}]`;

/** All characters outside the sorted ranges, except the two ends of the text. */
export function complementOf(ranges: readonly Range[]): Range[] {
  const gaps: Range[] = [];
  let next = 0;
  for (const [first, last] of ranges) {
    if (next < first) gaps.push([next, first - 1]);
    next = last + 1;
  }
  return [...gaps, [next, START - 1]];
}
