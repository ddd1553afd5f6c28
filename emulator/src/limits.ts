import { Refusal } from './answer';
import type { Switches } from './switches';

type LimitSwitches = Pick<Switches, 'rateLimit' | 'rateLimitWindowMs' | 'simultaneousLimit' | 'retryAfter'>;

/** Counts the requests of each account: those in the rolling window, and those under way. */
export class Limits {
  private readonly windows = new Map<string, RollingWindow>();
  private readonly underWay = new Map<string, number>();

  constructor(private readonly nowMs: () => number) {}

  /** Admits a request of the account, or refuses it with 429. The caller calls the result when the request has ended. */
  enter(account: string, switches: LimitSwitches): () => void {
    const count = this.underWay.get(account) ?? 0;
    if (switches.simultaneousLimit > 0 && count >= switches.simultaneousLimit) {
      throw this.refusal('Too many requests at once.', 1000, switches);
    }
    if (switches.rateLimit > 0) this.countInWindow(account, switches);
    this.underWay.set(account, count + 1);
    let isInside = true;
    return () => {
      if (isInside) this.underWay.set(account, (this.underWay.get(account) ?? 1) - 1);
      isInside = false;
    };
  }

  /** Forgets the windows; requests under way stay counted until they end. */
  clear(): void {
    this.windows.clear();
  }

  private countInWindow(account: string, switches: LimitSwitches): void {
    const window = this.windows.get(account) ?? new RollingWindow();
    this.windows.set(account, window);
    const nowMs = this.nowMs();
    const waitMs = window.waitMs(nowMs, { limit: switches.rateLimit, lengthMs: switches.rateLimitWindowMs });
    if (waitMs > 0) throw this.refusal('Too many requests.', waitMs, switches);
    window.add(nowMs);
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
    return new Refusal(
      429,
      'ERR_TOO_MANY_REQUESTS',
      message,
      value === undefined ? {} : { 'Retry-After': value },
    );
  }
}

/** Times of the admitted requests, the oldest first; those before `start` have left the window. */
class RollingWindow {
  private times: number[] = [];
  private start = 0;

  waitMs(nowMs: number, { limit, lengthMs }: { limit: number; lengthMs: number }): number {
    while (this.start < this.times.length && (this.times[this.start] ?? 0) <= nowMs - lengthMs)
      this.start += 1;
    if (this.start > 10_000) {
      this.times = this.times.slice(this.start);
      this.start = 0;
    }
    const excess = this.times.length - this.start - limit;
    if (excess < 0) return 0;
    return (this.times[this.start + excess] ?? nowMs) + lengthMs - nowMs;
  }

  add(timeMs: number): void {
    this.times.push(timeMs);
  }
}
