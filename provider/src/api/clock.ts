import { setTimeout } from 'node:timers/promises';
import { AsyncLocalStorage } from 'node:async_hooks';
import { DeadlineError } from './errors';

/** The clock of the client; tests inject their own. */
export interface Clock {
  /** The time of day, in milliseconds since the epoch. For dates only, as it can be set at any moment. */
  epochMs(): number;
  /** Milliseconds on a monotonic clock, which cannot be set: for deadlines, paces, pauses and ages. */
  monotonicMs(): number;
  /** Resolves after `ms`; rejects if the signal is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Sleepers wake up at once when the run is cancelled, except those with a signal, whose requests may still be answered. */
export function cancellable(clock: Clock, cancellation: AbortSignal): Clock {
  const cancelled = new Promise<void>((resolve) => {
    cancellation.addEventListener('abort', () => {
      resolve();
    });
  });
  return {
    epochMs: () => clock.epochMs(),
    monotonicMs: () => clock.monotonicMs(),
    sleep: (ms, signal) =>
      signal === undefined ? Promise.race([clock.sleep(ms), cancelled]) : clock.sleep(ms, signal),
  };
}

export const systemClock: Clock = {
  epochMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  // `setTimeout` holds its delay in 31 bits; every wait ends with a deadline, of a day at most.
  sleep: (ms, signal) => setTimeout(Math.max(0, ms), undefined, { signal }),
};

// The date form that HTTP prescribes. `Date.parse` alone accepts nearly anything as a date, even `-5`.
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** An HTTP date as epoch milliseconds; undefined for anything else. */
export function parseHttpDate(text: string): number | undefined {
  const epochMs = HTTP_DATE.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(epochMs) ? undefined : epochMs;
}

/** The Date header has whole seconds. */
export const DATE_STEP_MS = 1000;

/**
 * Estimates from the Date headers of answers how far the service's clock is ahead of our monotonic one. The headers are
 * truncated and delayed, so the estimate approaches the truth from below.
 */
export class ServerClock {
  /** To add to our monotonic time to get the service's; undefined before the first answer. */
  offsetMs: number | undefined;

  /** Takes in the header of an answer, with the monotonic times of its request and its arrival. */
  observe(dateHeader: string | undefined, sentAt: number, answeredAt: number): void {
    const dateMs = parseHttpDate(dateHeader ?? '');
    if (dateMs === undefined) return;
    const atLeast = dateMs - answeredAt;
    const atMost = dateMs + DATE_STEP_MS - sentAt;
    const known = this.offsetMs;
    // If this answer allows less than the estimate, the clock of the service has been set.
    this.offsetMs = known === undefined || known > atMost ? atLeast : Math.max(known, atLeast);
  }
}

/** How long each operation of the current call may take, if the engine sets it in place of the settings. */
export const callTimeMs = new AsyncLocalStorage<number>();

/** The time that an operation has left, with all its attempts and waits. For bulk work it limits the time without progress. */
export class Deadline {
  private endsAtMs: number;

  /** Where users set the budget. */
  readonly setting = callTimeMs.getStore() === undefined ? 'operationTimeoutSeconds' : 'customTimeouts';

  constructor(
    private readonly clock: Clock,
    readonly budgetMs: number,
    private readonly cancellation?: AbortSignal,
    private readonly isOfBulkWork = false,
  ) {
    this.endsAtMs = clock.monotonicMs() + budgetMs;
  }

  /** When the time is over (monotonic milliseconds). In the past once the run is cancelled. */
  get endsAt(): number {
    return this.isCancelled ? -Infinity : this.endsAtMs;
  }

  get isCancelled(): boolean {
    return this.cancellation?.aborted === true;
  }

  remainingMs(): number {
    return Math.max(0, this.endsAt - this.clock.monotonicMs());
  }

  /** Half of the time that is left, for a part of the work. */
  half(): Deadline {
    return new Deadline(this.clock, this.remainingMs() / 2);
  }

  /** Bulk work gets its full time again. No other operation gets more time. */
  noteProgress(): void {
    if (this.isOfBulkWork) this.endsAtMs = this.clock.monotonicMs() + this.budgetMs;
  }

  /** Waits for a request that others share, as long as there is time. @throws DeadlineError */
  async waitFor<T>(shared: Promise<T>, call: { readonly method: string; readonly path: string }): Promise<T> {
    const waiting = new AbortController();
    const timeIsOver = async (): Promise<never> => {
      while (!this.isOver) await this.clock.sleep(this.remainingMs(), waiting.signal);
      const { budgetMs, setting, isCancelled } = this;
      throw new DeadlineError({ ...call, outcome: 'not-sent', budgetMs, setting, isCancelled });
    };
    try {
      return await Promise.race([shared, timeIsOver()]);
    } finally {
      waiting.abort();
    }
  }

  get isOver(): boolean {
    return this.remainingMs() === 0;
  }
}
