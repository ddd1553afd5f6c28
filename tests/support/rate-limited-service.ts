import type { Clock } from '../../provider/src/api/clock';

const minuteMs = 60_000;

/** How a service counts: over the last 60 s, per minute of the clock, or by tokens that come back evenly. */
export type Counting = 'rolling' | 'fixed' | 'bucket';

/** A rate limit as a service applies it: undefined accepts a request, a number refuses it for so long. */
export class RateLimitedService {
  accepted = 0;
  refused = 0;
  private times: number[] = [];
  private tokens: number;
  private refilledAt: number;

  constructor(
    private readonly clock: Clock,
    private readonly perMinute: number,
    private readonly counting: Counting = 'rolling',
  ) {
    this.tokens = perMinute;
    this.refilledAt = clock.now();
  }

  request(): number | undefined {
    const waitMs = this.waitMs(this.clock.now());
    if (waitMs <= 0) this.accepted += 1;
    else this.refused += 1;
    return waitMs <= 0 ? undefined : waitMs;
  }

  private waitMs(now: number): number {
    if (this.counting === 'bucket') return this.bucketWaitMs(now);
    const since = this.counting === 'rolling' ? now - minuteMs : Math.floor(now / minuteMs) * minuteMs - 1;
    this.times = this.times.filter((time) => time > since);
    if (this.times.length < this.perMinute) {
      this.times.push(now);
      return 0;
    }
    const oldest = this.times[0] ?? now;
    return this.counting === 'rolling' ? oldest + minuteMs - now : minuteMs - (now % minuteMs);
  }

  private bucketWaitMs(now: number): number {
    const perMs = this.perMinute / minuteMs;
    this.tokens = Math.min(this.perMinute, this.tokens + (now - this.refilledAt) * perMs);
    this.refilledAt = now;
    if (this.tokens < 1) return (1 - this.tokens) / perMs;
    this.tokens -= 1;
    return 0;
  }
}
