import { type Sentence, say, trusted } from './sentence';

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
  const [first, ...others] = sentence;
  const start = typeof first === 'string' ? first.charAt(0).toLowerCase() + first.slice(1) : first;
  return say`From ${trusted(momentInWords(atMs))} on${steps}, ${start === undefined ? [] : [start, ...others]}`;
}
