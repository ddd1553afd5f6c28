/** A JSON value as written, with the repeated keys and the digits that `JSON.parse` would lose. */
export type JsonNode =
  | { readonly kind: 'object'; readonly members: readonly JsonMember[] }
  | { readonly kind: 'array'; readonly items: readonly JsonNode[] }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'boolean' | 'null'; readonly text: string };

/** One key of an object with its value. */
export interface JsonMember {
  readonly key: string;
  readonly value: JsonNode;
}

/** A parsed text, or what is wrong with it and where, without quoting the text, as it may be secret. */
export type JsonParse =
  { readonly ok: true; readonly node: JsonNode } | { readonly ok: false; readonly problem: string };

/** Deeper texts are refused, so that no reader of the tree can run out of stack. */
export const MAX_JSON_DEPTH = 500;

/** Reads exactly the texts that `JSON.parse` reads, down to the greatest depth. */
export function parseJson(text: string): JsonParse {
  const reader = new JsonReader(text);
  try {
    return { ok: true, node: reader.readDocument() };
  } catch (error) {
    if (error instanceof JsonProblem) return { ok: false, problem: error.message };
    throw error;
  }
}

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

  readDocument(): JsonNode {
    const node = this.readValue(0);
    if (this.offset < this.text.length) this.fail('more text after the end of the value');
    return node;
  }

  private readValue(depth: number): JsonNode {
    if (depth > MAX_JSON_DEPTH) this.fail(`nested deeper than ${MAX_JSON_DEPTH} levels`);
    this.take(BLANKS);
    const node = this.readNode(depth);
    this.take(BLANKS);
    return node;
  }

  private readNode(depth: number): JsonNode {
    if (this.text[this.offset] === '{') return { kind: 'object', members: this.readMembers(depth) };
    if (this.text[this.offset] === '[') return { kind: 'array', items: this.readItems(depth) };
    if (this.text[this.offset] === '"') return { kind: 'string', value: this.readString() };
    const digits = this.take(NUMBER);
    if (digits !== '') return { kind: 'number', text: digits };
    const name = this.take(WORD);
    if (name !== '') return { kind: name === 'null' ? 'null' : 'boolean', text: name };
    return this.fail('expected a value');
  }

  private readMembers(depth: number): JsonMember[] {
    return this.readList('}', () => {
      this.take(BLANKS);
      if (this.text[this.offset] !== '"') this.fail('expected a key in double quotes');
      const key = this.readString();
      this.take(BLANKS);
      if (!this.skip(':')) this.fail('expected a colon');
      return { key, value: this.readValue(depth + 1) };
    });
  }

  private readItems(depth: number): JsonNode[] {
    return this.readList(']', () => this.readValue(depth + 1));
  }

  private readList<Item>(end: '}' | ']', readItem: () => Item): Item[] {
    const items: Item[] = [];
    this.offset += 1;
    this.take(BLANKS);
    if (this.skip(end)) return items;
    do items.push(readItem());
    while (this.skip(','));
    if (!this.skip(end)) this.fail(`expected a comma or ${end}`);
    return items;
  }

  private readString(): string {
    const start = this.offset;
    this.offset += 1;
    do this.take(PLAIN_CHARACTERS);
    while (this.take(ESCAPE_SEQUENCE) !== '');
    if (!this.skip('"')) {
      this.fail(
        this.text[this.offset] === '\\' ? 'unknown escape sequence' : 'a string does not end on its line',
      );
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
    throw new JsonProblem(
      `${this.offset === this.text.length ? 'the text ends too early' : what} at ${place}`,
    );
  }
}
