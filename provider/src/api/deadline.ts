import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from './clock';
import { DeadlineError } from './errors';

/** How long each operation of the current call may take, if the engine says so instead of the settings. */
export const callTimeMs = new AsyncLocalStorage<number>();

/**
 * The time that an operation has left. Retries, every single attempt, and waits for the rate limit or for shared reads end with
 * it. For bulk work it limits the time without progress.
 */
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

  /** Whether the run was cancelled, so that the deadline has not ended by itself. */
  get isCancelled(): boolean {
    return this.cancellation?.aborted === true;
  }

  /** Milliseconds left, never negative. */
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

  /** Whether nothing more may be sent. */
  get isOver(): boolean {
    return this.remainingMs() === 0;
  }
}
