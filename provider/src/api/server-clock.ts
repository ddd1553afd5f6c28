import { parseHttpDate } from './retry-after';

const dateStepMs = 1000;

/**
 * Estimates how far the clock of the service is ahead of ours from the Date headers of its answers. They are whole
 * seconds, cut off, and old by the way back: the estimate approaches the truth from below and never exceeds it, so a
 * time derived from it is never later than the service's own.
 */
export class ServerClock {
  private lowerBoundMs: number | undefined;

  /** Takes in the header of an answer to a request that was sent and answered at these local times. */
  observe(dateHeader: string | undefined, sentAt: number, answeredAt: number): void {
    const dateMs = parseHttpDate(dateHeader ?? '');
    if (dateMs === undefined) return;
    const atLeast = dateMs - answeredAt;
    const atMost = dateMs + dateStepMs - sentAt;
    const known = this.lowerBoundMs;
    // A bound above what this answer allows means that one of the clocks has been set.
    this.lowerBoundMs = known === undefined || known > atMost ? atLeast : Math.max(known, atLeast);
  }

  /** Milliseconds to add to our time for that of the service; undefined before the first answer. */
  get offsetMs(): number | undefined {
    return this.lowerBoundMs;
  }
}
