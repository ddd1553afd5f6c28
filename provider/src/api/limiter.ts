import type { Clock, Deadline } from './clock';

/** Returns a permit, once, with the end of the request. `lost` means that the request may have counted. */
export type Release = (end: 'accepted' | 'refused' | 'lost', retryAfterMs?: number) => void;

/** No permit is available within the deadline, but perhaps at `resumesAt`. */
export class NoPermitError extends Error {
  override readonly name = 'NoPermitError';
  constructor(readonly resumesAt: number | undefined) {
    super('no request may be sent before the deadline');
  }
}

interface LimiterOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly maxConcurrency: number;
  readonly requestsPerMinute?: number | undefined;
  /** Called with every pause and its expected end (epoch milliseconds). */
  readonly onPause?: (resumesAt: number) => void;
}

interface Waiter {
  readonly deadline: Deadline;
  /** End of the deadline (monotonic milliseconds) when the waiter joined the queue. */
  readonly endsAt: number;
  readonly resolve: (release: Release) => void;
  readonly reject: (error: NoPermitError) => void;
}

const stopped = new Error('stopped');
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 10_000;
/** A service that refuses more often in a row gives no usable time. From then on its answer is only a minimum wait. */
const BELIEVED_REFUSALS = 3;
/** How fast the number of simultaneous requests grows back with each accepted request. */
const GROWTH_STEP = 0.1;
/** How late a timer may fire and still be compensated. */
const TIMER_DELAY_MS = 20;

/**
 * Hands out permits: a limited number at once, no faster than configured, none during a pause. A refusal pauses everything,
 * then a single probe finds out whether the pause is over. If other requests were under way, the number is halved; it grows
 * back while nothing is refused.
 */
export class Limiter {
  /** Earliest deadline first, so that a refused request does not queue up behind all others again. */
  private readonly waiters: Waiter[] = [];
  private readonly intervalMs: number;
  private nextAt = 0;
  private inFlight = 0;
  private allowance: number;
  /** Monotonic milliseconds, like all times here except those reported to others. */
  private resumesAt = 0;
  private refusals = 0;
  private alarm = new AbortController();

  constructor(private readonly options: LimiterOptions) {
    this.allowance = options.maxConcurrency;
    this.intervalMs = 60_000 / (options.requestsPerMinute ?? Infinity);
  }

  /** Until when (epoch milliseconds) the service wants no request; undefined outside a pause. */
  pausedUntil(): number | undefined {
    const leftMs = this.resumesAt - this.options.clock.monotonicMs();
    return leftMs > 0 ? this.options.clock.epochMs() + leftMs : undefined;
  }

  /** Resolves when a request may leave; rejects with a NoPermitError as soon as the deadline rules that out. */
  acquire(deadline: Deadline): Promise<Release> {
    return new Promise((resolve, reject) => {
      this.lineUp({ deadline, endsAt: deadline.endsAt, resolve, reject });
      this.advance();
    });
  }

  /** Serves or dismisses waiters, and sets the alarm for the rest. Callers that end deadlines early must call it. */
  readonly advance = (): void => {
    const now = this.options.clock.monotonicMs();
    for (let first = this.waiters[0]; first !== undefined; first = this.waiters[0]) {
      const { endsAt } = first.deadline;
      const isHopeless = endsAt <= Math.max(now, this.resumesAt);
      if (endsAt === first.endsAt && !isHopeless && this.readyAt > now) break;
      this.waiters.shift();
      // If the first deadline was renewed meanwhile, another waiter may go first.
      if (endsAt !== first.endsAt) this.lineUp({ ...first, endsAt });
      else if (isHopeless) first.reject(new NoPermitError(this.pausedUntil()));
      else first.resolve(this.admit(now));
    }
    this.wakeFor(this.waiters[0], now);
  };

  private lineUp(waiter: Waiter): void {
    const before = this.waiters.findLastIndex(({ endsAt }) => endsAt <= waiter.endsAt);
    this.waiters.splice(before + 1, 0, waiter);
  }

  /** When the next request may leave; Infinity while too many are under way. */
  private get readyAt(): number {
    const hasRoom = this.inFlight + 1 <= (this.refusals > 0 ? 1 : this.allowance);
    return hasRoom ? Math.max(this.resumesAt, this.nextAt) : Infinity;
  }

  private admit(sentAt: number): Release {
    this.inFlight += 1;
    const { intervalMs } = this;
    this.nextAt = Math.max(this.nextAt, sentAt - Math.min(intervalMs, TIMER_DELAY_MS)) + intervalMs;
    return (end, retryAfterMs) => {
      const now = this.options.clock.monotonicMs();
      this.inFlight -= 1;
      // A request that left before the latest pause proves nothing about the time since.
      const isCurrent = sentAt >= this.resumesAt;
      if (end === 'accepted') this.onAccepted(isCurrent);
      if (end === 'refused') this.onRefused(now, isCurrent, retryAfterMs);
      this.advance();
    };
  }

  private onAccepted(isCurrent: boolean): void {
    if (isCurrent) this.refusals = 0;
    this.allowance = Math.min(this.options.maxConcurrency, this.allowance + GROWTH_STEP / this.allowance);
  }

  private onRefused(now: number, isCurrent: boolean, retryAfterMs = 0): void {
    this.resumesAt = Math.max(this.resumesAt, now + retryAfterMs);
    if (!isCurrent) return;
    if (this.inFlight > 0) this.allowance = Math.max(1, this.allowance / 2);
    const isBelieved = retryAfterMs > 0 && this.refusals < BELIEVED_REFUSALS;
    const pauseMs = isBelieved ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 3 ** this.refusals);
    this.resumesAt = Math.max(this.resumesAt, now + pauseMs * (0.8 + 0.2 * this.options.random()));
    this.refusals += 1;
    const resumesAt = this.pausedUntil();
    if (resumesAt !== undefined) this.options.onPause?.(resumesAt);
  }

  /** Keeps at most one alarm. Without waiters there is none, as it would keep the process alive. */
  private wakeFor(first: Waiter | undefined, now: number): void {
    this.alarm.abort(stopped);
    if (first === undefined) return;
    this.alarm = new AbortController();
    // Rounded up: a timer of a fraction of a millisecond could fire too early.
    const waitMs = Math.ceil(Math.min(this.readyAt, first.endsAt) - now);
    this.options.clock.sleep(waitMs, this.alarm.signal).then(this.advance, () => undefined);
  }
}
