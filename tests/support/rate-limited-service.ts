import type { Clock } from '../../provider/src/api/clock';

const minuteMs = 60_000;

/** How a service counts: over the last 60 s, per minute of the clock, by tokens that are refilled evenly, or by simultaneous requests. */
export type Counting = 'rolling' | 'fixed' | 'bucket' | 'at once';

/** How many requests a service accepts, at a time (in milliseconds) after its start. */
export type Limit = number | ((elapsedMs: number) => number);

/** A limit of a service: undefined accepts a request, a number refuses it for so many milliseconds. */
export class RateLimitedService {
  accepted = 0;
  refused = 0;
  private times: number[] = [];
  private inHand = 0;
  private tokens: number;
  private refilledAt: number;
  private readonly startedAt: number;

  constructor(
    private readonly clock: Clock,
    private readonly limits: Limit,
    private readonly counting: Counting = 'rolling',
  ) {
    this.startedAt = clock.epochMs();
    this.tokens = this.limit;
    this.refilledAt = this.startedAt;
  }

  private get limit(): number {
    return typeof this.limits === 'number' ? this.limits : this.limits(this.clock.epochMs() - this.startedAt);
  }

  request(): number | undefined {
    const waitMs = this.waitMs();
    if (waitMs > 0) {
      this.refused += 1;
      return waitMs;
    }
    this.accepted += 1;
    this.use();
    return undefined;
  }

  /** The answer to an accepted request leaves. */
  answered(): void {
    this.inHand -= 1;
  }

  /** Another client uses up the rest. */
  useUp(): void {
    while (this.waitMs() <= 0) this.use();
    this.tokens = Math.min(this.tokens, 0);
  }

  /** The wait until a request is accepted. */
  waitMs(): number {
    const now = this.clock.epochMs();
    if (this.counting === 'at once') return this.inHand < this.limit ? 0 : 1;
    if (this.counting === 'bucket') return this.bucketWaitMs(now);
    const since = this.counting === 'rolling' ? now - minuteMs : Math.floor(now / minuteMs) * minuteMs - 1;
    this.times = this.times.filter((time) => time > since);
    const { limit } = this;
    if (this.times.length < limit) return 0;
    // After a sudden drop more than one of the old ones has to be forgotten.
    const oldest = this.times[this.times.length - limit] ?? now;
    return this.counting === 'rolling' ? oldest + minuteMs - now : minuteMs - (now % minuteMs);
  }

  private use(): void {
    this.inHand += 1;
    this.tokens -= 1;
    this.times.push(this.clock.epochMs());
  }

  private bucketWaitMs(now: number): number {
    const perMs = this.limit / minuteMs;
    this.tokens = Math.min(this.limit, this.tokens + (now - this.refilledAt) * perMs);
    this.refilledAt = now;
    return this.tokens < 1 ? (1 - this.tokens) / perMs : 0;
  }
}
