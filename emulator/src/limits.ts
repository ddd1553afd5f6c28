import { Refusal } from './answer';
import type { Switches } from './switches';

type LimitSwitches = Pick<Switches, 'rateLimit' | 'rateLimitWindowMs' | 'simultaneousLimit' | 'retryAfter'>;

/** Counts the requests of each account: those in the rolling window, and those under way. */
export class Limits {
  /** The times of the admitted requests in the window, oldest first. */
  private readonly windows = new Map<string, number[]>();
  private readonly underWay = new Map<string, number>();

  constructor(private readonly nowMs: () => number) {}

  /** Admits a request of the account, or refuses it with 429. The caller calls the result once, when the request has ended. */
  enter(account: string, switches: LimitSwitches): () => void {
    const count = this.underWay.get(account) ?? 0;
    if (switches.simultaneousLimit > 0 && count >= switches.simultaneousLimit) {
      throw this.refusal('Too many requests at once.', 1000, switches);
    }
    if (switches.rateLimit > 0) this.countInWindow(account, switches);
    this.underWay.set(account, count + 1);
    return () => {
      this.underWay.set(account, (this.underWay.get(account) ?? 1) - 1);
    };
  }

  /** Forgets the windows; requests under way stay counted until they end. */
  clear(): void {
    this.windows.clear();
  }

  private countInWindow(account: string, switches: LimitSwitches): void {
    const { rateLimit, rateLimitWindowMs } = switches;
    const nowMs = this.nowMs();
    const times = (this.windows.get(account) ?? []).filter((time) => time > nowMs - rateLimitWindowMs);
    this.windows.set(account, times);
    const excess = times.length - rateLimit;
    if (excess >= 0) {
      const waitMs = (times[excess] ?? nowMs) + rateLimitWindowMs - nowMs;
      throw this.refusal('Too many requests.', waitMs, switches);
    }
    times.push(nowMs);
  }

  private refusal(message: string, waitMs: number, { retryAfter }: LimitSwitches): Refusal {
    // Whole seconds only, so round up: a client that waits as told must get in.
    const seconds = Math.max(1, Math.ceil(waitMs / 1000));
    const value = {
      seconds: String(seconds),
      date: new Date(Math.ceil((this.nowMs() + waitMs) / 1000) * 1000).toUTCString(),
      absent: undefined,
      nonsense: 'soon',
    }[retryAfter];
    const headers = value === undefined ? undefined : { 'Retry-After': value };
    return new Refusal(429, 'ERR_TOO_MANY_REQUESTS', message, headers);
  }
}
