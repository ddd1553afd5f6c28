import type { Outcome } from './errors';

/** May a request be repeated that was possibly carried out? A create may not: it would make a second object. */
export type Repeatability = 'always' | 'unless-ambiguous';

/** What to do after an attempt that failed. */
export type RetryDecision = 'retry' | 'wait-for-rate-limit' | 'give-up';

interface FailedAttempt {
  readonly outcome: Outcome;
  readonly repeatability: Repeatability;
  /** Attempts that counted so far, this one included. Refusals by the rate limit do not count. */
  readonly attempts: number;
  readonly maxAttempts: number;
}

/** Decides whether a failed attempt is followed by another. */
export function decideRetry({ outcome, repeatability, attempts, maxAttempts }: FailedAttempt): RetryDecision {
  if (outcome === 'rate-limited') return 'wait-for-rate-limit';
  if (outcome === 'definite') return 'give-up';
  if (outcome === 'ambiguous' && repeatability === 'unless-ambiguous') return 'give-up';
  return attempts < maxAttempts ? 'retry' : 'give-up';
}

const FIRST_STEP_MS = 500;

/** No back-off is longer; only the service itself may ask for more. */
export const LONGEST_BACKOFF_MS = 20_000;

/** The upper end of the back-off after `failures` failures in a row (1, 2, ...): doubling, and capped. */
export const backoffCeilingMs = (failures: number): number =>
  Math.min(LONGEST_BACKOFF_MS, FIRST_STEP_MS * 2 ** Math.max(0, failures - 1));

interface RetryDelay {
  readonly failures: number;
  /** What the service asked for; it wins, and is kept to the millisecond. */
  readonly retryAfterMs: number | undefined;
  readonly random: () => number;
}

/** How long to wait before the next attempt: what the service asks for, otherwise full jitter below the ceiling. */
export const retryDelayMs = ({ failures, retryAfterMs, random }: RetryDelay): number =>
  retryAfterMs ?? random() * backoffCeilingMs(failures);

// The three date forms of HTTP. `Date.parse` alone takes nearly anything for a date, `-5` for one.
const HTTP_DATES = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

// About 300 years: longer waits say the same, and their end would not fit a date.
const LONGEST_WAIT_MS = 1e13;

/** A date of HTTP as epoch milliseconds; undefined for anything else. */
export function parseHttpDate(text: string): number | undefined {
  if (!HTTP_DATES.some((form) => form.test(text))) return undefined;
  const epochMs = Date.parse(text.endsWith(' GMT') ? text : `${text} GMT`);
  return Number.isNaN(epochMs) ? undefined : epochMs;
}

/**
 * The wait that a Retry-After header asks for, in milliseconds. Undefined where it asks for none that could be kept:
 * absent, empty, zero, negative, in the past, or not understood. The caller then backs off, so that no header
 * makes a hot loop. `serverNowMs` is the time on the clock of the service.
 */
export function parseRetryAfter(header: string | undefined, serverNowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  const date = parseHttpDate(text);
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1000 : date === undefined ? 0 : date - serverNowMs;
  return waitMs > 0 ? Math.min(waitMs, LONGEST_WAIT_MS) : undefined;
}
