import type { ConnectionReason, Outcome } from './errors';

/** What the body of an answer held. */
export type Body =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'empty' }
  /** Neither empty nor one complete JSON document: HTML of a proxy, or a truncated document. */
  | { readonly kind: 'other' };

/** Whether a body is a JSON object: only the service itself answers errors with one. */
export const isQualified = (body: Body): boolean =>
  body.kind === 'json' && typeof body.value === 'object' && body.value !== null && !Array.isArray(body.value);

// The server gave up waiting (408) or feared a replay (425): neither means that the request has been judged.
const undecided = new Set([408, 425]);

/** The outcome of an answer other than success. A response alone does not make it definite. */
export function outcomeOfStatus(status: number, body: Body): Outcome {
  if (status === 429) return 'rate-limited';
  const isRefusal = status >= 400 && status < 500 && !undecided.has(status);
  return isRefusal && isQualified(body) ? 'definite' : 'ambiguous';
}

/** The outcome without a response: unless the connection was up, no byte of the request has left. */
export const outcomeOfNoResponse = (wasSent: boolean): Outcome => (wasSent ? 'ambiguous' : 'not-sent');

/** The outcome of all attempts so far: no later answer takes back what one ambiguous attempt may have done. */
export const combineOutcomes = (earlier: Outcome | undefined, latest: Outcome): Outcome =>
  earlier === 'ambiguous' ? 'ambiguous' : latest;

/** What is known if there was no complete answer. */
interface NoResponse {
  readonly code: string | undefined;
  /** Whether the connection was up, so that bytes of the request may have left. */
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
  // A connection that breaks before it is up breaks in the TLS handshake: a plain one is refused instead.
  if (known === 'reset' && !wasSent) return 'tls';
  return known ?? (wasSent ? 'reset' : 'other');
}
