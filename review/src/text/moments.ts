import { type Sentence, say, trusted } from './sentence';

const MIDNIGHT = 'T00:00:00.000Z';

/** A moment in UTC: a day means its beginning. */
export function momentInWords(atMs: number): string {
  const text = new Date(atMs).toISOString();
  return text.endsWith(MIDNIGHT) ? text.slice(0, -MIDNIGHT.length) : text.replace('.000Z', 'Z');
}

/** A sentence about a later time: `From 2027-01-01 on, in IPv4, …`; unchanged without such a time. */
export function fromThen(
  begins: { readonly from: string; readonly to?: string } | undefined,
  sentence: Sentence,
): Sentence {
  if (!begins) return sentence;
  const steps = begins.to === undefined ? trusted('') : say`, step by step until ${trusted(begins.to)}`;
  const [first, ...others] = sentence;
  const start = typeof first === 'string' ? first.charAt(0).toLowerCase() + first.slice(1) : first;
  return say`From ${trusted(begins.from)} on${steps}, ${start === undefined ? [] : [start, ...others]}`;
}
