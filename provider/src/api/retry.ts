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
export const decideRetry = ({
  outcome,
  repeatability,
  attempts,
  maxAttempts,
}: FailedAttempt): RetryDecision => {
  if (outcome === 'rate-limited') return 'wait-for-rate-limit';
  if (outcome === 'definite') return 'give-up';
  if (outcome === 'ambiguous' && repeatability === 'unless-ambiguous') return 'give-up';
  return attempts < maxAttempts ? 'retry' : 'give-up';
};
