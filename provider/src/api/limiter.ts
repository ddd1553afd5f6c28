import type { Clock } from './clock';
import type { Deadline } from './deadline';
import { Pace } from './pace';

/** How a request ended, as far as the limiter must know. `lost`: nobody said whether it counted. */
export type RequestEnd =
  | { readonly kind: 'accepted' | 'lost' }
  | { readonly kind: 'refused'; readonly retryAfterMs: number | undefined };

/** The right to send one request now. */
export interface Permit {
  /** Gives the permit back; only the first call counts. */
  release(how: RequestEnd): void;
}

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
  /** End of the deadline when the waiter lined up. */
  readonly endsAt: number;
  readonly resolve: (permit: Permit) => void;
  readonly reject: (error: NoPermitError) => void;
}

const stopped = new Error('stopped');
const firstPauseMs = 1000;
const longestPauseMs = 10_000;
// A service that repeats itself this often names no usable time; from then on its word is only the shortest wait.
const believedRefusals = 3;
const acceptedPerGrowth = 10;

/**
 * Hands out permits: so many at once, at a pace, and none during a pause. A refusal pauses everything; a single probe then finds
 * out whether the pause is over. A refusal beside other requests may mean too many at once: half as many follow. One of a
 * request that was alone is about time, and from then on the pace is measured. Both grow while nothing is refused.
 */
export class Limiter {
  /** Whose deadline ends first comes first: a request that was refused does not line up behind all others again. */
  private readonly waiters: Waiter[] = [];
  private readonly pace: Pace;
  private inFlight = 0;
  private allowance: number;
  private acceptedSinceGrowth = 0;
  private resumesAt = 0;
  private refusals = 0;
  private pauses = 0;
  private isAboutTime = false;
  private alarm: { readonly at: number; readonly control: AbortController } | undefined;

  constructor(private readonly options: LimiterOptions) {
    this.allowance = options.maxConcurrency;
    this.pace = new Pace((options.requestsPerMinute ?? Infinity) / 60_000);
  }

  /** Until when (epoch milliseconds) the service wants no request; undefined outside of a pause. */
  pausedUntil(): number | undefined {
    return this.resumesAt > this.options.clock.now() ? this.resumesAt : undefined;
  }

  /** Resolves when a request may leave; rejects with a NoPermitError as soon as the deadline rules that out. */
  acquire(deadline: Deadline): Promise<Permit> {
    return new Promise((resolve, reject) => {
      this.lineUp({ deadline, endsAt: deadline.endsAt, resolve, reject });
      this.advance();
    });
  }

  private lineUp(waiter: Waiter): void {
    const before = this.waiters.findLastIndex(({ endsAt }) => endsAt <= waiter.endsAt);
    this.waiters.splice(before + 1, 0, waiter);
  }

  /** Serves whoever can be served, dismisses whoever cannot any more, and sets the alarm for the rest. */
  private advance(): void {
    const now = this.options.clock.now();
    for (let first = this.waiters[0]; first !== undefined; first = this.waiters[0]) {
      const { deadline, endsAt } = first;
      const isHopeless = deadline.endsAt <= Math.max(now, this.resumesAt);
      if (endsAt === deadline.endsAt && !isHopeless && this.readyAt > now) break;
      this.waiters.shift();
      // A deadline that was renewed meanwhile may leave the turn to others.
      if (endsAt !== deadline.endsAt) this.lineUp({ ...first, endsAt: deadline.endsAt });
      else if (isHopeless) first.reject(new NoPermitError(this.pausedUntil()));
      else first.resolve(this.admit(now));
    }
    this.wakeAt(Math.min(this.readyAt, this.waiters[0]?.endsAt ?? Infinity));
  }

  /** From when on a request may leave; Infinity while too many are under way. */
  private get readyAt(): number {
    const hasRoom = this.inFlight < (this.refusals > 0 ? 1 : this.allowance);
    return hasRoom ? Math.max(this.resumesAt, this.pace.readyAt) : Infinity;
  }

  private admit(now: number): Permit {
    this.inFlight += 1;
    this.pace.onSent(now);
    const pauses = this.pauses;
    let isReleased = false;
    return {
      release: (how) => {
        if (isReleased) return;
        isReleased = true;
        this.inFlight -= 1;
        // A request that left before the latest pause tells nothing about the time since.
        const isCurrent = pauses === this.pauses;
        if (how.kind === 'accepted') this.onAccepted(isCurrent);
        if (how.kind === 'refused') this.onRefused(how.retryAfterMs, isCurrent);
        this.advance();
      },
    };
  }

  private onAccepted(isCurrent: boolean): void {
    if (isCurrent && this.refusals > 0) {
      this.refusals = 0;
      this.pace.onResumed(this.options.clock.now(), this.isAboutTime);
    }
    this.pace.onAccepted();
    this.acceptedSinceGrowth += 1;
    if (this.acceptedSinceGrowth < acceptedPerGrowth * this.allowance) return;
    this.acceptedSinceGrowth = 0;
    this.allowance = Math.min(this.allowance + 1, this.options.maxConcurrency);
  }

  private onRefused(retryAfterMs: number | undefined, isCurrent: boolean): void {
    const now = this.options.clock.now();
    if (!isCurrent) {
      this.resumesAt = Math.max(this.resumesAt, now + (retryAfterMs ?? 0));
      return;
    }
    this.pauses += 1;
    this.refusals += 1;
    this.isAboutTime ||= this.inFlight === 0;
    if (!this.isAboutTime) this.allowance = Math.max(1, Math.floor(this.allowance / 2));
    this.acceptedSinceGrowth = 0;
    this.resumesAt = Math.max(this.resumesAt, now + this.pauseMs(retryAfterMs));
    this.options.onPause?.(this.resumesAt);
  }

  private pauseMs(retryAfterMs: number | undefined): number {
    if (retryAfterMs !== undefined && this.refusals <= believedRefusals) return retryAfterMs;
    const stepMs = Math.min(longestPauseMs, firstPauseMs * 3 ** (this.refusals - 1));
    return Math.max(retryAfterMs ?? 0, stepMs * (0.8 + 0.2 * this.options.random()));
  }

  /** Keeps one alarm at most, and none while nobody waits: it would keep the process alive. */
  private wakeAt(time: number): void {
    const at = this.waiters.length === 0 ? Infinity : time;
    if (this.alarm?.at === at) return;
    this.alarm?.control.abort(stopped);
    this.alarm = undefined;
    if (at === Infinity) return;
    const { clock } = this.options;
    const control = new AbortController();
    this.alarm = { at, control };
    const ring = (): void => {
      this.alarm = undefined;
      this.advance();
    };
    clock.sleep(at - clock.now(), control.signal).then(ring, () => undefined);
  }
}
