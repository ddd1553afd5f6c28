/** A value of JSON. */
export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A parsed text, or what is wrong with it and where, without quoting the text, as it may be secret. */
export type JsonParse =
  { readonly ok: true; readonly value: JsonValue } | { readonly ok: false; readonly problem: string };

/** Deeper texts are refused, so that no reader of the value can run out of stack. */
export const MAX_JSON_DEPTH = 500;

/**
 * Reads JSON that every reader takes for the same value. Refused are, besides what `JSON.parse` refuses: repeated keys, of which
 * some readers take the first and some the last; and numbers that a double does not hold. `1`, `1.0` and `10e-1` are one number.
 */
export function parseJson(text: string): JsonParse {
  const usual = readAsWritten(text);
  if (usual !== undefined) return { ok: true, value: usual };
  try {
    return { ok: true, value: new JsonReader(text).readDocument() };
  } catch (error) {
    if (error instanceof JsonProblem) return { ok: false, problem: error.message };
    throw error;
  }
}

/**
 * A text that is equal for equal values: the order of keys does not count, except of those that differ by case only, of which
 * some readers take the last.
 */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(byKey))
      : part,
  );

function byKey([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  const [left, right] = [one.toLowerCase(), other.toLowerCase()];
  return left < right ? -1 : Number(left > right);
}

/** The platform reads several times as fast. What it would write in the same way has no repeated key and no longer number. */
function readAsWritten(text: string): JsonValue | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    const isIndented = text.startsWith('{\n');
    // eslint-disable-next-line no-restricted-syntax -- compared with the text, and never printed
    const written = isIndented ? `${JSON.stringify(value, undefined, 2)}\n` : JSON.stringify(value);
    return written === text && !isDeeper(value, MAX_JSON_DEPTH) ? value : undefined;
  } catch {
    // The careful reader says what is wrong.
    return undefined;
  }
}

const isDeeper = (value: JsonValue, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).some((part: JsonValue) => levels === 0 || isDeeper(part, levels - 1));

class JsonProblem extends Error {}

const BLANKS = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
// One step at a time: a repeated group would overflow the engine's stack on a long string.
// eslint-disable-next-line no-control-regex -- JSON forbids raw control characters in strings
const PLAIN_CHARACTERS = /[^"\\\u0000-\u001f]*/y;
const ESCAPE_SEQUENCE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

class JsonReader {
  private offset = 0;

  constructor(private readonly text: string) {}

  readDocument(): JsonValue {
    const value = this.readValue(0);
    if (this.offset < this.text.length) this.fail('is not JSON: more text after the end of the value');
    return value;
  }

  private readValue(depth: number): JsonValue {
    if (depth > MAX_JSON_DEPTH) this.fail(`is nested deeper than ${MAX_JSON_DEPTH} levels`);
    this.take(BLANKS);
    const value = this.readBare(depth);
    this.take(BLANKS);
    return value;
  }

  private readBare(depth: number): JsonValue {
    if (this.text[this.offset] === '{') return this.readMembers(depth);
    if (this.text[this.offset] === '[') return this.readList(']', () => this.readValue(depth + 1));
    if (this.text[this.offset] === '"') return this.readString();
    const start = this.offset;
    const plain = this.take(NUMBER) || this.take(WORD);
    if (plain === '') this.fail('is not JSON: expected a value');
    const value = JSON.parse(plain) as JsonValue;
    if (typeof value === 'number' && !isHeldByDouble(plain, value)) {
      this.offset = start;
      this.fail('has a number that a double does not hold (parsers round it differently)');
    }
    return value;
  }

  private readMembers(depth: number): JsonValue {
    const members = new Map<string, JsonValue>();
    this.readList('}', () => {
      this.take(BLANKS);
      if (this.text[this.offset] !== '"') this.fail('is not JSON: expected a key in double quotes');
      const start = this.offset;
      const key = this.readString();
      if (members.has(key)) {
        this.offset = start;
        this.fail('repeats a key (parsers differ on which one counts)');
      }
      this.take(BLANKS);
      if (!this.skip(':')) this.fail('is not JSON: expected a colon');
      members.set(key, this.readValue(depth + 1));
    });
    return Object.fromEntries(members);
  }

  private readList<Item>(end: '}' | ']', readItem: () => Item): Item[] {
    const items: Item[] = [];
    this.offset += 1;
    this.take(BLANKS);
    if (this.skip(end)) return items;
    do items.push(readItem());
    while (this.skip(','));
    if (!this.skip(end)) this.fail(`is not JSON: expected a comma or ${end}`);
    return items;
  }

  private readString(): string {
    const start = this.offset;
    this.offset += 1;
    do this.take(PLAIN_CHARACTERS);
    while (this.take(ESCAPE_SEQUENCE) !== '');
    if (!this.skip('"')) {
      const isEscape = this.text[this.offset] === '\\';
      this.fail(`is not JSON: ${isEscape ? 'unknown escape sequence' : 'a string does not end on its line'}`);
    }
    return JSON.parse(this.text.slice(start, this.offset)) as string;
  }

  private take(pattern: RegExp): string {
    pattern.lastIndex = this.offset;
    const taken = pattern.exec(this.text)?.[0] ?? '';
    this.offset += taken.length;
    return taken;
  }

  private skip(character: string): boolean {
    const isThere = this.text[this.offset] === character;
    if (isThere) this.offset += 1;
    return isThere;
  }

  private fail(what: string): never {
    const before = this.text.slice(0, this.offset).split('\n');
    const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
    const isEnd = this.offset === this.text.length;
    throw new JsonProblem(`${isEnd ? 'is not JSON: the text ends too early' : what} at ${place}`);
  }
}

/** No number of JSON that a double holds is written in more characters, except with needless zeros. */
const MOST_CHARACTERS = 400;

/** Whether the nearest double has the same digits. */
const isHeldByDouble = (text: string, value: number): boolean =>
  text.length <= MOST_CHARACTERS && Number.isFinite(value) && digitsOf(text) === digitsOf(String(value));

const digitsOf = (text: string): string =>
  text
    .replace(/[eE].*$/, '')
    .replace(/[-.]/g, '')
    .replace(/^0+|0+$/g, '');
