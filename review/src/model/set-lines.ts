// The lines of a set of thousands of rules, taken apart into columns of numbers: two texts are compared by them, and only
// what differs becomes an object. A line that both sides have is one rule. Lines read into objects by themselves take a review of
// 20,000 rules to 11.5 times `node -e ''`, where the bound is 10 (`node bench/review.mjs set`).
import type { RuleAction } from 'pulumi-edge-policy/internal/values/action';
import type { RuleLine } from 'pulumi-edge-policy/internal/rule-set/rule-line';
import { readLine } from 'pulumi-edge-policy/internal/rule-set/rule-line';
import { FIRST_LINE, withoutEndedLines } from 'pulumi-edge-policy/internal/rule-set/rules-text';
import { ipv4CodeIn } from 'pulumi-edge-policy/internal/values/ipv4-network';

/** What a set's text says, line by line. */
export interface SetLines {
  readonly count: number;
  /** The text, and where each line begins; the last entry is the end. */
  readonly text: string;
  readonly starts: readonly number[];
  /** The networks of plain lines, as `ipv4CodeIn` has them. */
  readonly codes: Float64Array;
  /** What plain lines do: {@link ALLOW} or {@link DENY}; {@link NOT_PLAIN} for all others. */
  readonly actions: Uint8Array;
  /** The other lines: IPv6, escapes, and a value that is not known yet. */
  readonly others: ReadonlyMap<number, RuleLine>;
  /** Whether each plain line has a network that comes after the one before. */
  readonly isSorted: boolean;
}

export const NOT_PLAIN = 0;
const [ALLOW, DENY] = [1, 2];

/** The lines of a set that is not there. */
export const NO_LINES: SetLines = {
  count: 0,
  text: '',
  starts: [],
  codes: new Float64Array(),
  actions: new Uint8Array(),
  others: new Map(),
  isSorted: true,
};

/** Reads the text of a set; nothing if it is none. */
export function readSetLines(text: string): SetLines | undefined {
  const isSet = text.startsWith(`${FIRST_LINE}\n`) && text.endsWith('\n');
  const live = withoutEndedLines(text);
  return isSet ? linesInColumns(live, startsOf(live)) : undefined;
}

function startsOf(text: string): number[] {
  const starts: number[] = [];
  for (let start = FIRST_LINE.length + 1; start > 0; start = text.indexOf('\n', start) + 1)
    starts.push(start);
  return starts;
}

function linesInColumns(text: string, starts: readonly number[]): SetLines | undefined {
  const count = starts.length - 1;
  const codes = new Float64Array(count);
  const actions = new Uint8Array(count);
  const others = new Map<number, RuleLine>();
  let previous = -1;
  let isSorted = true;
  let escape = text.indexOf('\\');
  for (let index = 0; index < count; index += 1) {
    const start = starts[index] ?? 0;
    const end = (starts[index + 1] ?? 0) - 1;
    if (escape >= 0 && escape < start) escape = text.indexOf('\\', start);
    const space = text.indexOf(' ', start);
    const code = ipv4CodeIn(text, start, space);
    const action = code === undefined ? NOT_PLAIN : actionIn(text, space + 1, end);
    if (code !== undefined && action !== NOT_PLAIN && (escape < 0 || escape >= end)) {
      codes[index] = code;
      actions[index] = action;
      isSorted &&= code > previous;
      previous = code;
    } else {
      const line = readLine(text.slice(start, end));
      if (line === undefined) return undefined;
      others.set(index, line);
    }
  }
  return { count, text, starts, codes, actions, others, isSorted };
}

const QUOTE = '"'.charCodeAt(0);
const LETTER_A = 'a'.charCodeAt(0);

/** What the rest of a line does if it is an action and at most the first text. */
function actionIn(text: string, start: number, end: number): number {
  const isAllow = text.charCodeAt(start) === LETTER_A;
  const word = isAllow ? 'allow' : 'deny';
  if (!text.startsWith(word, start)) return NOT_PLAIN;
  const rest = start + word.length;
  const isPlain =
    rest === end ||
    (text.startsWith(' "', rest) &&
      rest + 2 < end &&
      text.charCodeAt(end - 1) === QUOTE &&
      text.indexOf('"', rest + 2) === end - 1);
  return isPlain ? (isAllow ? ALLOW : DENY) : NOT_PLAIN;
}

/** What a line says. */
export const lineAt = (lines: SetLines, index: number): RuleLine | undefined =>
  lines.others.get(index) ?? readLine(textAt(lines, index));

/** The action of a plain line. */
export const actionAt = ({ actions }: SetLines, index: number): RuleAction =>
  actions[index] === ALLOW ? 'allow' : 'deny';

const textAt = ({ text, starts }: SetLines, index: number): string =>
  text.slice(starts[index], (starts[index + 1] ?? 0) - 1);

/** For each line of a text where the same line is in another text, or -1. */
export function matchLines(one: SetLines, other: SetLines): Int32Array {
  const matches = new Int32Array(one.count).fill(-1);
  if (one.isSorted && other.isSorted) {
    matchInOrder(one, other, matches);
    matchByText(one, other, { among: [...one.others.keys()], with: other.others.keys(), matches });
  } else {
    const all = ({ count }: SetLines) => Array.from({ length: count }, (_, index) => index);
    matchByText(one, other, { among: all(one), with: all(other), matches });
  }
  return matches;
}

/** The plain lines, which come in the order of their networks. */
function matchInOrder(one: SetLines, other: SetLines, matches: Int32Array): void {
  let next = 0;
  for (let index = 0; index < one.count; index += 1) {
    if (one.actions[index] === NOT_PLAIN) continue;
    const code = one.codes[index] ?? 0;
    while (next < other.count && (other.actions[next] === NOT_PLAIN || (other.codes[next] ?? 0) < code))
      next += 1;
    if (next === other.count) return;
    if (other.codes[next] === code && isSameText(one, index, { lines: other, index: next }))
      matches[index] = next;
  }
}

function isSameText(one: SetLines, index: number, other: { lines: SetLines; index: number }): boolean {
  const start = one.starts[index] ?? 0;
  const otherStart = other.lines.starts[other.index] ?? 0;
  const length = (one.starts[index + 1] ?? 0) - start;
  if ((other.lines.starts[other.index + 1] ?? 0) - otherStart !== length) return false;
  for (let position = 0; position < length; position += 1) {
    if (one.text.charCodeAt(start + position) !== other.lines.text.charCodeAt(otherStart + position))
      return false;
  }
  return true;
}

function matchByText(
  one: SetLines,
  other: SetLines,
  {
    among,
    with: candidates,
    matches,
  }: { among: readonly number[]; with: Iterable<number>; matches: Int32Array },
): void {
  if (among.length === 0) return;
  const byText = new Map<string, number>();
  for (const index of candidates) byText.set(textAt(other, index), index);
  for (const index of among) matches[index] = byText.get(textAt(one, index)) ?? -1;
}
