import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from './clock';

/** How long each operation of the current call may take, if the engine says so instead of the settings. */
export const callTimeMs = new AsyncLocalStorage<number>();

/**
 * The time that an operation has left. Retries, waits for the rate limit and every single attempt end with it. Bulk work calls
 * `renew` after each step, which turns it into a limit on the time without progress.
 */
export class Deadline {
  private endsAtMs: number;

  constructor(
    private readonly clock: Clock,
    readonly budgetMs: number,
    private readonly cancellation?: AbortSignal,
  ) {
    this.endsAtMs = clock.monotonicMs() + budgetMs;
  }

  /** When the time is over (monotonic milliseconds): in the past once the run is cancelled. */
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

  /** Restarts the full time limit. */
  renew(): void {
    this.endsAtMs = this.clock.monotonicMs() + this.budgetMs;
  }

  /** Whether nothing more may be sent. */
  get isOver(): boolean {
    return this.remainingMs() === 0;
  }
}
