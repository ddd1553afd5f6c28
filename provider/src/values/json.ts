import { isObject } from './decoding';

export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A parsed text, or what is wrong with it and where, without quoting the text, as it may be secret. */
export type JsonParse =
  { readonly ok: true; readonly value: JsonValue } | { readonly ok: false; readonly problem: string };

/** Deeper texts are refused, so that no reader of the value can run out of stack. */
export const MAX_JSON_DEPTH = 500;

/** Refuses what readers take differently, too: repeated keys, and numbers that a double does not hold. */
export function parseJson(text: string): JsonParse {
  try {
    const value = JSON.parse(text) as JsonValue;
    const doubt = doubtIn(text);
    return doubt === undefined ? { ok: true, value } : { ok: false, problem: doubt };
  } catch (error) {
    return { ok: false, problem: `is not JSON${syntaxProblem(text, String(error))}` };
  }
}

/** Equal for equal values. Order counts only for keys that differ by case alone, as some readers take the last. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(byKey)) : part,
  );

function byKey([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  const [left, right] = [one.toLowerCase(), other.toLowerCase()];
  return left < right ? -1 : Number(left > right);
}

/** What readers of a valid text would take for different values, or run out of stack on. */
function doubtIn(text: string): string | undefined {
  const tokens = /["{}[\]]|-?\d[-+.\deE]*/g;
  /** The keys so far of every object or list that is open. */
  const open: Set<string>[] = [];
  for (let match = tokens.exec(text); match !== null; match = tokens.exec(text)) {
    const [token] = match;
    let problem: string | undefined;
    if (token === '{' || token === '[') {
      open.push(new Set());
      if (open.length > MAX_JSON_DEPTH + 1) problem = `is nested deeper than ${MAX_JSON_DEPTH} levels`;
    } else if (token === '}' || token === ']') open.pop();
    else if (token === '"') {
      tokens.lastIndex = endOfString(text, match.index);
      const keys = open.at(-1);
      const key = keys && keyIn(text, match.index, tokens.lastIndex);
      if (key !== undefined && keys?.has(key))
        problem = 'repeats a key (parsers disagree on which one counts)';
      if (key !== undefined) keys?.add(key);
    } else if (!isHeldByDouble(token, Number(token)))
      problem = 'has a number that a double cannot hold (parsers round it differently)';
    if (problem !== undefined) return `${problem} at ${placeIn(text, match.index)}`;
  }
  return undefined;
}

/** Found without a pattern: on a long string, a repeated group would overflow the stack of the pattern engine. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return end + 1;
  }
}

const COLON = /[ \t\n\r]*:/y;

function keyIn(text: string, start: number, end: number): string | undefined {
  COLON.lastIndex = end;
  return COLON.test(text) ? (JSON.parse(text.slice(start, end)) as string) : undefined;
}

function placeIn(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

/** The platform's message about a text, with the place. Empty if it quotes the text, in double quotes. */
function syntaxProblem(text: string, message: string): string {
  const [, problem = '', offset] =
    /^SyntaxError: ([^"]*?)(?: in JSON)? at position (\d+)/.exec(message) ?? [];
  return offset === undefined ? '' : `: ${problem} at ${placeIn(text, Number(offset))}`;
}

/** No number of JSON that a double holds is written in more characters, except with needless zeros. */
const MOST_CHARACTERS = 400;

const isHeldByDouble = (text: string, value: number): boolean =>
  text.length <= MOST_CHARACTERS && Number.isFinite(value) && digitsOf(text) === digitsOf(String(value));

const digitsOf = (text: string): string =>
  text
    .replace(/[eE].*$/, '')
    .replace(/[-.]/g, '')
    .replace(/^0+|0+$/g, '');
