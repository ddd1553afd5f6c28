import type { Clock } from './clock';
import type { Deadline } from './deadline';
import { longestBackoffMs } from './delay';
import { Pace } from './pace';

/** How a request ended, as far as the limiter must know. `lost`: nobody said whether it counted. */
export type PassageEnd =
  | { readonly kind: 'accepted' | 'lost' }
  | { readonly kind: 'refused'; readonly retryAfterMs: number | undefined };

/** The right to send one request now; to be given back exactly once. */
export interface Passage {
  end(how: PassageEnd): void;
}

/** A passage could not be had within the deadline; `resumesAt` says from when on it could, where that is known. */
export class NoPassageError extends Error {
  override readonly name = 'NoPassageError';
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
  readonly resolve: (passage: Passage) => void;
  readonly reject: (error: NoPassageError) => void;
  readonly settled: AbortController;
}

// One reason for all stopped sleeps: making an error for each costs more than the rest of a passage.
const settled = new Error('settled');

const firstPauseMs = 1000;
// A service that repeats itself this often names no usable time; from then on its word is only the shortest wait.
const believedRefusals = 3;
const minuteSlackMs = 10_000;

/**
 * Lets requests pass: so many at once, at a pace, and none during a pause. One refusal pauses everything; a single
 * request then finds out whether the pause is over, and only its success lets the others follow, one more with every
 * success. Knows nothing of HTTP.
 */
export class Limiter {
  private readonly waiters: Waiter[] = [];
  private readonly pace: Pace;
  private inFlight = 0;
  private allowance: number;
  private resumesAt = 0;
  private refusals = 0;
  private pauses = 0;
  private wakesAt = Infinity;
  private alarm = new AbortController();

  constructor(private readonly options: LimiterOptions) {
    const { maxConcurrency, requestsPerMinute } = options;
    this.allowance = maxConcurrency;
    this.pace = new Pace(requestsPerMinute === undefined ? undefined : requestsPerMinute / 60_000);
  }

  /** Until when (epoch milliseconds) the service wants no request; undefined outside of a pause. */
  pausedUntil(): number | undefined {
    return this.resumesAt > this.options.clock.now() ? this.resumesAt : undefined;
  }

  /** Resolves when a request may leave; rejects with a NoPassageError as soon as the deadline rules that out. */
  async enter(deadline: Deadline): Promise<Passage> {
    if (this.isHopeless(deadline)) throw new NoPassageError(this.pausedUntil());
    if (
      this.waiters.length === 0 &&
      this.inFlight < this.allowance &&
      this.readyAt <= this.options.clock.now()
    ) {
      return this.admit();
    }
    return new Promise((resolve, reject) => {
      const waiter = { deadline, resolve, reject, settled: new AbortController() };
      this.waiters.push(waiter);
      void this.watch(waiter);
      this.advance();
    });
  }

  private get readyAt(): number {
    return Math.max(this.resumesAt, this.pace.readyAt);
  }

  private isHopeless(deadline: Deadline): boolean {
    const waitMs = this.resumesAt - this.options.clock.now();
    return deadline.isOver || (waitMs > 0 && waitMs >= deadline.remainingMs());
  }

  private async watch(waiter: Waiter): Promise<void> {
    const { settled, deadline } = waiter;
    try {
      // A deadline that is renewed meanwhile is waited for anew.
      while (!deadline.isOver) await this.options.clock.sleep(deadline.remainingMs(), settled.signal);
      this.dismiss(waiter);
    } catch {
      // Settled: the sleep was only stopped.
    }
  }

  private dismiss(waiter: Waiter): void {
    const index = this.waiters.indexOf(waiter);
    if (index >= 0) this.waiters.splice(index, 1);
    waiter.settled.abort(settled);
    waiter.reject(new NoPassageError(this.pausedUntil()));
  }

  private advance(): void {
    while (this.waiters.length > 0 && this.inFlight < this.allowance) {
      if (this.readyAt > this.options.clock.now()) {
        this.wakeAt(this.readyAt);
        return;
      }
      const waiter = this.waiters.shift();
      waiter?.settled.abort(settled);
      waiter?.resolve(this.admit());
    }
  }

  private admit(): Passage {
    this.inFlight += 1;
    this.pace.started(this.options.clock.now());
    const pauses = this.pauses;
    let hasEnded = false;
    return {
      end: (how) => {
        if (hasEnded) return;
        hasEnded = true;
        this.inFlight -= 1;
        this.learn(how, pauses === this.pauses);
        this.advance();
      },
    };
  }

  /** `isCurrent`: the request left after the latest pause, so it tells something about the time since. */
  private learn(how: PassageEnd, isCurrent: boolean): void {
    const now = this.options.clock.now();
    if (how.kind === 'refused') this.pause(how.retryAfterMs, isCurrent);
    if (how.kind !== 'accepted') return;
    if (isCurrent && this.refusals > 0) this.pace.resumed(now);
    this.pace.accepted(now);
    if (!isCurrent) return;
    this.refusals = 0;
    this.allowance = Math.min(this.allowance + 1, this.options.maxConcurrency);
  }

  private pause(retryAfterMs: number | undefined, isCurrent: boolean): void {
    const now = this.options.clock.now();
    if (isCurrent) {
      this.pauses += 1;
      this.refusals += 1;
      this.allowance = 1;
      this.pace.refused(now);
      this.resumesAt = Math.max(this.resumesAt, now + this.pauseMs(retryAfterMs));
      this.options.onPause?.(this.resumesAt);
    } else if (retryAfterMs !== undefined) {
      this.resumesAt = Math.max(this.resumesAt, now + retryAfterMs);
    }
    for (const waiter of this.waiters.filter(({ deadline }) => this.isHopeless(deadline)))
      this.dismiss(waiter);
  }

  private pauseMs(retryAfterMs: number | undefined): number {
    if (retryAfterMs === undefined) return this.probeDelayMs();
    return this.refusals > believedRefusals ? Math.max(retryAfterMs, this.probeDelayMs()) : retryAfterMs;
  }

  /** Tripling steps with a little jitter; near the end of our own minute, exactly that end. */
  private probeDelayMs(): number {
    const { clock, random } = this.options;
    const stepMs = Math.min(longestBackoffMs, firstPauseMs * 3 ** (this.refusals - 1));
    const delayMs = stepMs * (0.8 + 0.2 * random());
    const minuteMs = (this.pace.minuteEndsAt(clock.now()) ?? 0) - clock.now();
    const isNear = minuteMs > 0 && minuteMs <= longestBackoffMs && minuteMs <= delayMs + minuteSlackMs;
    return isNear && minuteMs >= firstPauseMs / 2 ? minuteMs : delayMs;
  }

  private wakeAt(time: number): void {
    if (this.wakesAt <= time) return;
    this.alarm.abort(settled);
    this.alarm = new AbortController();
    this.wakesAt = time;
    const { clock } = this.options;
    clock.sleep(time - clock.now(), this.alarm.signal).then(
      () => {
        this.wakesAt = Infinity;
        this.advance();
      },
      () => undefined,
    );
  }
}
