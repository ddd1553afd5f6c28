import type { Clock } from './clock';
import type { Deadline } from './deadline';
import { Pace } from './pace';

/** Gives a permit back, once, and says how the request ended; `lost` means that nobody said whether it counted. */
export type Release = (end: 'accepted' | 'refused' | 'lost', retryAfterMs?: number) => void;

/** No permit is to be had within the deadline; `resumesAt` says from when on, where that is known. */
export class NoPermitError extends Error {
  override readonly name = 'NoPermitError';
  constructor(readonly resumesAt: number | undefined) {
    super('no request may be sent within the deadline');
  }
}

interface LimiterOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly maxConcurrency: number;
  readonly requestsPerMinute?: number | undefined;
  /** Told of every pause and of its expected end (epoch milliseconds). */
  readonly onPause?: (resumesAt: number) => void;
}

interface Waiter {
  readonly deadline: Deadline;
  /** End of the deadline (monotonic milliseconds) when the waiter lined up. */
  readonly endsAt: number;
  readonly resolve: (release: Release) => void;
  readonly reject: (error: NoPermitError) => void;
}

const stopped = new Error('stopped');
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 10_000;
/** A service that repeats itself more often names no usable time: from then on its word is only the shortest wait. */
const BELIEVED_REFUSALS = 3;
/** How much more may be under way after each accepted request, shared out among as many as may be now. */
const GROWTH_STEP = 0.1;

/**
 * Hands out permits: so many at once, at a pace, and none during a pause. A refusal pauses everything; a single probe then
 * finds out whether the pause is over. A refusal beside other requests may mean too many at once: half as many follow. One of
 * a request that was alone is about time: the pace becomes that of the accepted ones. Both grow while nothing is refused.
 */
export class Limiter {
  /** Whose deadline ends first comes first: a request that was refused does not line up behind all others again. */
  private readonly waiters: Waiter[] = [];
  private readonly pace: Pace;
  private inFlight = 0;
  private allowance: number;
  /** Monotonic milliseconds, as all times here but those that others are told. */
  private resumesAt = 0;
  private refusals = 0;
  private alarm = new AbortController();

  constructor(private readonly options: LimiterOptions) {
    this.allowance = options.maxConcurrency;
    this.pace = new Pace((options.requestsPerMinute ?? Infinity) / 60_000);
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

  /** Looks at all deadlines again: they may have ended before their time. */
  review(): void {
    this.advance();
  }

  /** Serves whoever can be served, dismisses whoever cannot any more, and sets the alarm for the rest. */
  private readonly advance = (): void => {
    const now = this.options.clock.monotonicMs();
    for (let first = this.waiters[0]; first !== undefined; first = this.waiters[0]) {
      const { endsAt } = first.deadline;
      const isHopeless = endsAt <= Math.max(now, this.resumesAt);
      if (endsAt === first.endsAt && !isHopeless && this.readyAt > now) break;
      this.waiters.shift();
      // A deadline that was renewed meanwhile may leave the turn to others.
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

  /** From when on a request may leave; Infinity while too many are under way. */
  private get readyAt(): number {
    const hasRoom = this.inFlight + 1 <= (this.refusals > 0 ? 1 : this.allowance);
    return hasRoom ? Math.max(this.resumesAt, this.pace.readyAt) : Infinity;
  }

  private admit(sentAt: number): Release {
    this.inFlight += 1;
    this.pace.onSent(sentAt);
    return (end, retryAfterMs) => {
      const now = this.options.clock.monotonicMs();
      this.inFlight -= 1;
      // A request that left before the latest pause tells nothing about the time since.
      const isCurrent = sentAt >= this.resumesAt;
      if (end === 'accepted') this.onAccepted(now, isCurrent);
      if (end === 'refused') this.onRefused(now, isCurrent, retryAfterMs);
      this.advance();
    };
  }

  private onAccepted(now: number, isCurrent: boolean): void {
    if (isCurrent) this.refusals = 0;
    this.allowance = Math.min(this.options.maxConcurrency, this.allowance + GROWTH_STEP / this.allowance);
    this.pace.onAccepted(now);
  }

  private onRefused(now: number, isCurrent: boolean, retryAfterMs = 0): void {
    this.resumesAt = Math.max(this.resumesAt, now + retryAfterMs);
    if (!isCurrent) return;
    if (this.inFlight === 0) this.pace.onRefused(now);
    else this.allowance = Math.max(1, this.allowance / 2);
    const isBelieved = retryAfterMs > 0 && this.refusals < BELIEVED_REFUSALS;
    const pauseMs = isBelieved ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 3 ** this.refusals);
    this.resumesAt = Math.max(this.resumesAt, now + pauseMs * (0.8 + 0.2 * this.options.random()));
    this.refusals += 1;
    const resumesAt = this.pausedUntil();
    if (resumesAt !== undefined) this.options.onPause?.(resumesAt);
  }

  /** Keeps one alarm at most, and none while nobody waits: it would keep the process alive. */
  private wakeFor(first: Waiter | undefined, now: number): void {
    this.alarm.abort(stopped);
    if (first === undefined) return;
    this.alarm = new AbortController();
    // A fraction of a millisecond may be too little to wake up any later.
    const waitMs = Math.ceil(Math.min(this.readyAt, first.endsAt) - now);
    this.options.clock.sleep(waitMs, this.alarm.signal).then(this.advance, () => undefined);
  }
}
