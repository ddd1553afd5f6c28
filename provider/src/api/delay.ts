const firstStepMs = 500;

/** No back-off is longer; only the service itself may ask for more. */
export const longestBackoffMs = 20_000;

/** The upper end of the back-off after `failures` failures in a row (1, 2, ...): doubling, and capped. */
export const backoffCeilingMs = (failures: number): number =>
  Math.min(longestBackoffMs, firstStepMs * 2 ** Math.max(0, failures - 1));

interface RetryDelay {
  readonly failures: number;
  /** What the service asked for; it wins, and is kept to the millisecond. */
  readonly retryAfterMs: number | undefined;
  readonly random: () => number;
}

/** How long to wait before the next attempt: what the service asks for, otherwise full jitter below the ceiling. */
export const retryDelayMs = ({ failures, retryAfterMs, random }: RetryDelay): number =>
  retryAfterMs ?? random() * backoffCeilingMs(failures);
