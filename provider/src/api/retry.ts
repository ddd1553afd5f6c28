import type { Outcome } from './errors';

/** Whether a request that may have been carried out may be repeated. A create may not: it would make a duplicate. */
export type Repeatability = 'always' | 'unless-ambiguous';

/** What to do after an attempt that failed. */
type RetryDecision = 'retry' | 'wait-for-rate-limit' | 'give-up';

interface FailedAttempt {
  readonly outcome: Outcome;
  readonly repeatability: Repeatability;
  /** The attempts that counted so far, including this one. Refusals by the rate limit do not count. */
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

/** The longest back-off; only the service itself may ask for more. */
const LONGEST_BACKOFF_MS = 20_000;

/** The upper end of the back-off after `failures` failures in a row (1, 2, ...): it doubles up to a cap. */
const backoffCeilingMs = (failures: number): number =>
  Math.min(LONGEST_BACKOFF_MS, FIRST_STEP_MS * 2 ** Math.max(0, failures - 1));

interface RetryDelay {
  readonly failures: number;
  /** The wait that the service asked for; it takes precedence and is kept to the millisecond. */
  readonly retryAfterMs: number | undefined;
  readonly random: () => number;
}

/** How long to wait before the next attempt: as long as the service asks for, otherwise full jitter below the ceiling. */
export const retryDelayMs = ({ failures, retryAfterMs, random }: RetryDelay): number =>
  retryAfterMs ?? random() * backoffCeilingMs(failures);

// The date form that HTTP prescribes. `Date.parse` alone accepts nearly anything as a date, even `-5`.
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

// About 300 years: longer waits make no difference, and their end would not fit a date.
const LONGEST_WAIT_MS = 1e13;

/** An HTTP date as epoch milliseconds; undefined for anything else. */
export function parseHttpDate(text: string): number | undefined {
  const epochMs = HTTP_DATE.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(epochMs) ? undefined : epochMs;
}

/**
 * The wait that a Retry-After header asks for, in milliseconds. Undefined if the header is absent, empty, zero, negative, in
 * the past or not understood. The caller then backs off, so that no header causes a hot loop. `serverNowMs` is the time on the
 * service's clock.
 */
export function parseRetryAfter(header: string | undefined, serverNowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  const date = parseHttpDate(text);
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1000 : date === undefined ? 0 : date - serverNowMs;
  return waitMs > 0 ? Math.min(waitMs, LONGEST_WAIT_MS) : undefined;
}
