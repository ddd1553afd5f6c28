// What for: sentences of our own words and foreign text, amounts, and the escapes of each format.
// Must not know: any other folder.

/** Text that others wrote: a name, a pattern, a message. Renderers escape it; nothing else does. */
export interface Foreign {
  readonly foreign: string;
  /** The page of the documentation that explains it, with its heading: `findings-access.md#open-to-all`. */
  readonly page?: string;
}

/** Text of a report: our own words, and foreign text marked as such. */
export type Sentence = readonly (string | Foreign)[];

export const foreign = (text: string): Foreign => ({ foreign: text });

/** Marks a text as ours, and so printed without escapes: words that our code picked, never anything read from a stack. */
export const trusted = (text: string): Sentence => [text];

/** Marks a word as one that a page explains, to which Markdown can link. */
export const explained = (foreign: string, page: string): Foreign => ({ foreign, page });

type Part = Foreign | Sentence | number | bigint;

/** Builds a sentence. The compiler refuses plain strings: a text from a stack gets in through {@link foreign} or not at all. */
export function say(text: TemplateStringsArray, ...parts: readonly Part[]): Sentence {
  const runs: (string | Foreign)[] = [];
  text.forEach((words, index) => {
    if (words !== '') runs.push(words);
    const part = parts[index];
    if (part !== undefined) runs.push(...runsOf(part));
  });
  return runs;
}

function runsOf(part: Part): Sentence {
  if (typeof part === 'number' || typeof part === 'bigint') return [withThousands(part)];
  return isForeign(part) ? [part] : part;
}

export const isForeign = (run: Foreign | Sentence | string): run is Foreign =>
  typeof run === 'object' && 'foreign' in run;

/** `1234567` as `1,234,567`, in every locale. */
export const withThousands = (value: number | bigint): string =>
  value.toString().replace(/\B(?=(?:\d{3})+$)/g, ',');

export const count = (value: number | bigint, noun: string): Sentence => [
  `${withThousands(value)} ${noun}${value === 1 || value === 1n ? '' : 's'}`,
];

/** A list in words: `a, b and c`, cut after `limit` entries with a count of the rest. */
export const list = (parts: readonly (Foreign | Sentence)[], limit = 3): Sentence =>
  listOf(parts, (part) => part, limit);

/** A list in words of things that are worded only if they are named, as there may be thousands. */
export function listOf<T>(
  things: readonly T[],
  write: (thing: T) => Foreign | Sentence,
  limit = 3,
): Sentence {
  const shown = things.slice(0, limit).map((thing): Sentence => {
    const part = write(thing);
    return isForeign(part) ? [part] : part;
  });
  if (things.length > limit) shown.push([`${withThousands(things.length - limit)} more`]);
  return shown.flatMap((part, index) => {
    if (index === 0) return part;
    return [index === shown.length - 1 ? ' and ' : ', ', ...part];
  });
}

export function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

const MIDNIGHT = 'T00:00:00.000Z';

/** A moment in UTC: a day means its beginning. */
export function momentInWords(atMs: number): string {
  const text = new Date(atMs).toISOString();
  return text.endsWith(MIDNIGHT) ? text.slice(0, -MIDNIGHT.length) : text.replace('.000Z', 'Z');
}

/** A sentence about a later time: `From 2027-01-01 on, in IPv4, …`; unchanged without such a time. */
export function fromThen(
  begins: { readonly atMs: number; readonly lastMs: number } | undefined,
  sentence: Sentence,
): Sentence {
  if (!begins) return sentence;
  const { atMs, lastMs } = begins;
  const steps = lastMs === atMs ? [] : say`, step by step until ${trusted(momentInWords(lastMs))}`;
  return say`From ${trusted(momentInWords(atMs))} on${steps}, ${lowerCased(sentence)}`;
}

/** The sentence with another first letter, if that is ours. */
const withFirst =
  (change: (letter: string) => string) =>
  ([first = '', ...others]: Sentence): Sentence => [
    typeof first === 'string' ? change(first.charAt(0)) + first.slice(1) : first,
    ...others,
  ];

export const lowerCased = withFirst((letter) => letter.toLowerCase());
export const capitalised = withFirst((letter) => letter.toUpperCase());
