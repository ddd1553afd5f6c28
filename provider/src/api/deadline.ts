import type { Clock } from './clock';

/**
 * The time an operation has left. Retries, waits for a rate limit and every single attempt end with it. Bulk work calls
 * `renew` after each step, which makes it a bound on the time without progress.
 */
export class Deadline {
  private endsAt: number;

  constructor(
    private readonly clock: Clock,
    readonly budgetMs: number,
  ) {
    this.endsAt = clock.now() + budgetMs;
  }

  /** Milliseconds left, never negative. */
  remainingMs(): number {
    return Math.max(0, this.endsAt - this.clock.now());
  }

  /** Starts the full budget anew. */
  renew(): void {
    this.endsAt = this.clock.now() + this.budgetMs;
  }

  /** Whether nothing may be sent any more. */
  get isOver(): boolean {
    return this.remainingMs() === 0;
  }
}
