import type { Clock } from './clock';

/**
 * The time an operation has left. Retries, waits for a rate limit and every single attempt end with it. Bulk work calls
 * `renew` after each step, which makes it a bound on the time without progress.
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

  /** When it is over (monotonic milliseconds): long ago once the run is cancelled. */
  get endsAt(): number {
    return this.isCancelled ? -Infinity : this.endsAtMs;
  }

  /** Whether somebody has ended the run, and not the time. */
  get isCancelled(): boolean {
    return this.cancellation?.aborted === true;
  }

  /** Milliseconds left, never negative. */
  remainingMs(): number {
    return Math.max(0, this.endsAt - this.clock.monotonicMs());
  }

  /** Starts the full budget anew. */
  renew(): void {
    this.endsAtMs = this.clock.monotonicMs() + this.budgetMs;
  }

  /** Whether nothing may be sent any more. */
  get isOver(): boolean {
    return this.remainingMs() === 0;
  }
}
