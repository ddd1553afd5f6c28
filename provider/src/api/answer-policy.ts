// What is made of an answer, or of none: whether the request had its effect, whether it is repeated and when, and what it holds.
import { parseHttpDate } from './clock';
import { AnswerError, ApiError, type ConnectionReason, type Failed, type Outcome } from './errors';
import { DocumentError, isObject } from '../values/decoding';
import { cleanCode, cleanText, type SecretTexts } from './redact';

export type Body =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'empty' }
  /** Neither empty nor one complete JSON document: HTML of a proxy, or a truncated document. */
  | { readonly kind: 'other' };

/** Whether a body is a JSON object: only the service itself answers errors with one. */
const isQualified = (body: Body): boolean => body.kind === 'json' && isObject(body.value);

// The server gave up waiting (408) or feared a replay (425). Neither has judged the request.
const undecided = new Set([408, 425]);

/** The outcome of an answer other than success. A response alone does not make it definite. */
export function outcomeOfStatus(status: number, body: Body): Outcome {
  if (status === 429) return 'rate-limited';
  const isRefusal = status >= 400 && status < 500 && !undecided.has(status);
  return isRefusal && isQualified(body) ? 'definite' : 'ambiguous';
}

interface NoResponse {
  readonly code: string | undefined;
  /** Whether the connection was up, so that bytes of the request may have left. */
  readonly wasSent: boolean;
  readonly isTimeout: boolean;
  readonly isTooLarge: boolean;
}

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

/** Whether a request that may have been carried out may be repeated. A create may not: it would make a duplicate. */
export type Repeatability = 'always' | 'unless-ambiguous';

type RetryDecision = 'retry' | 'wait-for-rate-limit' | 'give-up';

interface FailedAttempt {
  readonly outcome: Outcome;
  readonly repeatability: Repeatability;
  /** The attempts that counted so far, including this one. Refusals by the rate limit do not count. */
  readonly attempts: number;
  readonly maxAttempts: number;
}

export function decideRetry({ outcome, repeatability, attempts, maxAttempts }: FailedAttempt): RetryDecision {
  if (outcome === 'rate-limited') return 'wait-for-rate-limit';
  if (outcome === 'definite') return 'give-up';
  if (outcome === 'ambiguous' && repeatability === 'unless-ambiguous') return 'give-up';
  return attempts < maxAttempts ? 'retry' : 'give-up';
}

const FIRST_STEP_MS = 500;

/** The longest back-off; only the service itself may ask for more. */
const LONGEST_BACKOFF_MS = 20_000;

/** The upper end of the back-off after `failures` failures in a row (1, 2, ...): it doubles up to a cap. */
const backoffCeilingMs = (failures: number): number =>
  Math.min(LONGEST_BACKOFF_MS, FIRST_STEP_MS * 2 ** Math.max(0, failures - 1));

/** As long as the service asks for, otherwise full jitter below the ceiling. */
export const retryDelayMs = (
  failures: number,
  retryAfterMs: number | undefined,
  random: () => number,
): number => retryAfterMs ?? random() * backoffCeilingMs(failures);

// About 300 years: longer waits make no difference, and their end would not fit a date.
const LONGEST_WAIT_MS = 1e13;

/** The wait in milliseconds. Undefined if it would cause a hot loop or is not understood: the caller then backs off. */
export function parseRetryAfter(header: string | undefined, serverNowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  const date = parseHttpDate(text);
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1000 : date === undefined ? 0 : date - serverNowMs;
  return waitMs > 0 ? Math.min(waitMs, LONGEST_WAIT_MS) : undefined;
}

/** Throws a DocumentError if the body is not the expected one. */
export type Reader<T> = (body: Body) => T;

export const json =
  <T>(decode: (value: unknown) => T): Reader<T> =>
  (body) => {
    if (body.kind === 'empty') throw new DocumentError('the body is empty');
    if (body.kind === 'other') throw new DocumentError('the body is not one complete JSON document');
    return decode(body.value);
  };

/** Reads an empty body, as the answer to a delete has. */
export const nothing: Reader<void> = (body) => {
  if (body.kind !== 'empty') throw new DocumentError('the body should be empty');
};

export interface Expected<T> {
  readonly method: string;
  /** Path below the base URL, as errors show it. */
  readonly path: string;
  /** The one status that the document gives for success. */
  readonly successStatus: number;
  readonly read: Reader<T>;
}

/** Reads a success; throws an AnswerError unless it is exactly what the document describes. */
export function readSuccess<T>(expected: Expected<T>, status: number, body: Body): T {
  const { method, path, successStatus, read } = expected;
  try {
    if (status !== successStatus) throw new DocumentError(`${successStatus} was expected`);
    return read(body);
  } catch (error) {
    throw error instanceof DocumentError
      ? new AnswerError({ method, path, status, problem: error.message.replace(/\.$/, '') })
      : error;
  }
}

interface Failure extends Failed {
  readonly status: number;
  readonly body: Body;
  readonly secrets: readonly SecretTexts[];
}

const fieldOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);

/** The error for an answer other than success. Section 7 describes no error bodies, so nothing depends on their fields. */
export function toApiError({ method, path, status, body, outcome, secrets }: Failure): ApiError {
  const content = body.kind === 'json' ? body.value : undefined;
  const message = fieldOf(content, 'msg') ?? fieldOf(content, 'message');
  const said = typeof message === 'string' ? message : '';
  return new ApiError({
    method,
    path,
    status,
    outcome,
    isQualified: isQualified(body),
    code: cleanCode(fieldOf(content, 'error_code'), secrets),
    serviceMessage: cleanText(said, secrets) || undefined,
    saysAlreadyExists: /duplicate|already\s+exist/i.test(said),
    operationId: cleanCode(fieldOf(fieldOf(content, 'details'), 'operation_id'), secrets),
  });
}
