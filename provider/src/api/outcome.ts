import type { ConnectionReason, Outcome } from './errors';

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
export function outcomeOfStatus(status: number, body: Body): Outcome {
  if (status === 429) return 'rate-limited';
  const isRefusal = status >= 400 && status < 500 && !undecided.has(status);
  return isRefusal && isQualified(body) ? 'definite' : 'ambiguous';
}

/** What no response says: before the connection stood, no byte of the request had left. */
export const outcomeOfNoResponse = (wasSent: boolean): Outcome => (wasSent ? 'ambiguous' : 'not-sent');

/** The outcome of all attempts so far: what one ambiguous attempt may have done, no later answer takes back. */
export const combineOutcomes = (earlier: Outcome | undefined, latest: Outcome): Outcome =>
  earlier === 'ambiguous' ? 'ambiguous' : latest;

/** What is known when no complete answer came. */
interface NoResponse {
  readonly code: string | undefined;
  /** Whether the connection stood, so that bytes of the request may have left. */
  readonly wasSent: boolean;
  readonly isTimeout: boolean;
  readonly isTooLarge: boolean;
}

const BY_CODE: readonly (readonly [RegExp, ConnectionReason])[] = [
  [/^ECONNREFUSED$/, 'refused'],
  [/^(ENOTFOUND|EAI_)/, 'dns'],
  [/^E(HOST|NET)(UNREACH|DOWN)$|^EADDRNOTAVAIL$/, 'unreachable'],
  [/^ERR_PROXY_TUNNEL$/, 'proxy'],
  [/^(CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL|EPROTO|HOSTNAME_)/, 'tls'],
  [/^HPE_/, 'protocol'],
  [/^(ECONNRESET|EPIPE|ECONNABORTED)$/, 'reset'],
];

/** Names the reason for a missing answer. */
export function reasonOfNoResponse({ code, wasSent, isTimeout, isTooLarge }: NoResponse): ConnectionReason {
  if (isTooLarge) return 'body-too-large';
  if (isTimeout || code === 'ETIMEDOUT') return wasSent ? 'timeout' : 'connect-timeout';
  const known = BY_CODE.find(([pattern]) => pattern.test(code ?? ''))?.[1];
  // A connection that breaks before it stands breaks in the TLS handshake: plain ones are refused instead.
  if (known === 'reset' && !wasSent) return 'tls';
  return known ?? (wasSent ? 'reset' : 'other');
}
