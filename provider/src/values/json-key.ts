import type { JsonNode } from './json-text';
import { writeJson } from './json-writer';

/**
 * A text that is equal for two JSON values only if every reader sees the same in both. Spacing, the order of keys, escapes in
 * strings and trailing zeros of fractions do not count. These do, as readers differ about them:
 * - the values of a repeated key, in their order (the first or the last may win);
 * - an integer as opposed to a fraction or power (1 and 1.0 have two types in many languages), and the sign of zero;
 * - every digit of a number, also those that a double cannot hold.
 */
export const jsonKey = (node: JsonNode): string =>
  writeJson(node, { hasSortedKeys: true, number: numberKey });

const NUMBER_PARTS = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** A longer exponent is compared as written: working with millions of digits would take seconds. */
const MOST_EXPONENT_DIGITS = 1_000;

/** The exact value of a number as `<sign><digits>e<power of ten>`, with a mark for integers. */
export function numberKey(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent] = NUMBER_PARTS.exec(text) ?? [];
  if (exponent !== undefined && exponent.length > MOST_EXPONENT_DIGITS) return text;
  const isInteger = fraction === '' && exponent === undefined;
  const digits = trimZeros(whole + fraction);
  // As a big integer: exponents have no limit in JSON.
  const power = BigInt(exponent ?? '0') - BigInt(fraction.length) + BigInt(digits.droppedAtEnd);
  return `${isInteger ? 'i' : 'f'}${sign}${digits.text === '' ? '0' : `${digits.text}e${power}`}`;
}

function trimZeros(digits: string): { text: string; droppedAtEnd: number } {
  const significant = digits.replace(/^0+/, '');
  let end = significant.length;
  while (significant[end - 1] === '0') end -= 1;
  return { text: significant.slice(0, end), droppedAtEnd: significant.length - end };
}

/** Whether a number is the same after a reader that stores doubles, as most do, has written it back. */
export function survivesDouble(text: string): boolean {
  const rewritten = JSON.stringify(Number(text));
  return rewritten !== 'null' && numberKey(rewritten) === numberKey(text);
}
