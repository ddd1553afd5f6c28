// Characters of a pattern: as ranges of code points, and as classes in a JavaScript pattern.

/** The code points from the first to the last. */
export type Range = readonly [first: number, last: number];

/** Marks the start of a text. */
export const START = 0x10fffe;
/** Marks the end of a text. */
export const END = 0x10ffff;

const DIGITS: readonly Range[] = [[0x30, 0x39]];
const WORD: readonly Range[] = [...DIGITS, [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]];
const SPACE: readonly Range[] = [
  [0x09, 0x0a],
  [0x0c, 0x0d],
  [0x20, 0x20],
];
/** Classes by the letter of their escape. */
export const PERL: Readonly<Record<string, readonly Range[]>> = { d: DIGITS, w: WORD, s: SPACE };
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
