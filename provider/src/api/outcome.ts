import { isObject } from '../values/json';
import type { ConnectionReason, Outcome } from './errors';

/** What the body of an answer held. */
export type Body =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'empty' }
  /** Neither empty nor one complete JSON document: HTML of a proxy, or a truncated document. */
  | { readonly kind: 'other' };

/** Whether a body is a JSON object: only the service itself answers errors with one. */
export const isQualified = (body: Body): boolean => body.kind === 'json' && isObject(body.value);

// The server gave up waiting (408) or feared a replay (425). Neither has judged the request.
const undecided = new Set([408, 425]);

/** The outcome of an answer other than success. A response alone does not make it definite. */
export function outcomeOfStatus(status: number, body: Body): Outcome {
  if (status === 429) return 'rate-limited';
  const isRefusal = status >= 400 && status < 500 && !undecided.has(status);
  return isRefusal && isQualified(body) ? 'definite' : 'ambiguous';
}

/** The outcome without a response: unless the connection was up, no byte of the request has left. */
export const outcomeOfNoResponse = (wasSent: boolean): Outcome => (wasSent ? 'ambiguous' : 'not-sent');

/** The outcome of all attempts so far. No later answer takes back what one ambiguous attempt may have done. */
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

/** Names the reason for a missing answer. */
export function reasonOfNoResponse({
  code = '',
  wasSent,
  isTimeout,
  isTooLarge,
}: NoResponse): ConnectionReason {
  if (isTooLarge) return 'body-too-large';
  if (isTimeout || code === 'ETIMEDOUT') return wasSent ? 'timeout' : 'connect-timeout';
  if (code === 'ERR_PROXY_TUNNEL') return 'proxy';
  if (OF_TLS.test(code)) return 'tls';
  if (wasSent) return 'broken';
  // A connection that breaks before it is up breaks in the TLS handshake. A plain one is refused instead.
  return OF_BREAKS.test(code) ? 'tls' : 'not-reached';
}

const OF_TLS = /^(CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL|EPROTO|HOSTNAME_)/;
const OF_BREAKS = /^(ECONNRESET|EPIPE|ECONNABORTED)$/;
