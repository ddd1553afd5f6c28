/** In UTF-8, the unit of the service's limits. */
export const byteLength = (text: string): number => Buffer.byteLength(text, 'utf8');

/** Half a surrogate pair would reach the service as a replacement character, and be a permanent difference. */
export function unicodeProblem(text: string): string | undefined {
  if (text.isWellFormed()) return undefined;
  const index = text.search(/\p{Surrogate}/u);
  return `has half of a character at position ${index + 1} (a lone surrogate), which UTF-8 cannot encode`;
}

/** Without quoting the text. */
export function byteLimitProblem(text: string, limitBytes: number): string | undefined {
  const sizeBytes = byteLength(text);
  if (sizeBytes > limitBytes)
    return `is ${sizeBytes} bytes long in UTF-8, and at most ${limitBytes} are allowed`;
  return unicodeProblem(text);
}

const NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Why a text cannot name a feed or a list; undefined if it can. */
export const nameProblem = (name: string, noun: 'feed' | 'list'): string | undefined =>
  NAME.test(name)
    ? undefined
    : `the name of a ${noun} consists of lower-case letters and digits, with hyphens between them, and has at most 63 characters`;
