import type { Outcome } from './errors';

/** What came back in the body of an answer. */
export type Body =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'empty' }
  /** Neither empty nor JSON from its first byte to its last: HTML of a proxy, or a document that was cut. */
  | { readonly kind: 'other' };

/** Whether a body is a JSON object: only the service itself answers errors with one. */
export const isQualified = (body: Body): boolean =>
  body.kind === 'json' && typeof body.value === 'object' && body.value !== null && !Array.isArray(body.value);

// The server gave up waiting (408) or feared a replay (425): neither says that the request has been judged.
const undecided = new Set([408, 425]);

/** What an answer that is no success says about the request. "There was a response" does not make it definite. */
export const outcomeOfStatus = (status: number, body: Body): Outcome => {
  if (status === 429) return 'rate-limited';
  const isRefusal = status >= 400 && status < 500 && !undecided.has(status);
  return isRefusal && isQualified(body) ? 'definite' : 'ambiguous';
};

/** What a missing answer says: before the connection stood, no byte of the request had left. */
export const outcomeOfSilence = (wasSent: boolean): Outcome => (wasSent ? 'ambiguous' : 'not-sent');

/** The outcome of all attempts so far: what one ambiguous attempt may have done, no later answer takes back. */
export const combineOutcomes = (earlier: Outcome | undefined, latest: Outcome): Outcome =>
  earlier === 'ambiguous' ? 'ambiguous' : latest;
