import type { Clock } from '../../provider/src/api/clock';

interface Sleeper {
  readonly wakesAt: number;
  readonly wake: () => void;
}

/** Lets everything that is ready run: promise callbacks, however long their chain is. */
const settleMicrotasks = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A clock that stands still until it is moved, and then wakes its sleepers in order. */
export class VirtualClock implements Clock {
  private time = 0;
  private sleepers: Sleeper[] = [];
  /** Every delay that was asked for, in order. */
  readonly sleeps: number[] = [];

  constructor(private startedAt = Date.UTC(2030, 0, 1)) {}

  epochMs(): number {
    return this.startedAt + this.time;
  }

  monotonicMs(): number {
    return this.time;
  }

  /** Sets the time of day forward, or back. */
  set(byMs: number): void {
    this.startedAt += byMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.sleeps.push(ms);
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.sleepers = this.sleepers.filter((other) => other !== sleeper);
        reject(new Error('the sleep was stopped'));
      };
      const wake = (): void => {
        signal?.removeEventListener('abort', stop);
        resolve();
      };
      const sleeper = { wakesAt: this.time + Math.max(0, ms), wake };
      if (signal?.aborted === true) {
        reject(new Error('the sleep was stopped'));
        return;
      }
      this.sleepers.push(sleeper);
      signal?.addEventListener('abort', stop, { once: true });
    });
  }

  /** Moves the time by `ms`, waking everything on the way. */
  async advance(ms: number): Promise<void> {
    const endsAt = this.time + ms;
    await settleMicrotasks();
    while (this.wakeNext(endsAt)) await settleMicrotasks();
    this.time = endsAt;
  }

  /** Moves the time from sleeper to sleeper until the promise is settled. Fails if that needs longer than `limitMs`. */
  async run<T>(promise: Promise<T>, limitMs = 24 * 3_600_000): Promise<T> {
    const endsAt = this.time + limitMs;
    const settled = new AbortController();
    const settle = (): void => {
      settled.abort();
    };
    promise.then(settle, settle);
    await settleMicrotasks();
    while (!settled.signal.aborted) {
      if (!this.wakeNext(endsAt)) throw new Error('nothing left to wake, and the promise is not settled');
      await settleMicrotasks();
    }
    return promise;
  }

  /** How many sleepers there are. */
  get pending(): number {
    return this.sleepers.length;
  }

  private wakeNext(endsAt: number): boolean {
    const next = this.sleepers.reduce<Sleeper | undefined>(
      (first, sleeper) => (first === undefined || sleeper.wakesAt < first.wakesAt ? sleeper : first),
      undefined,
    );
    if (next === undefined || next.wakesAt > endsAt) return false;
    this.sleepers = this.sleepers.filter((sleeper) => sleeper !== next);
    this.time = Math.max(this.time, next.wakesAt);
    next.wake();
    return true;
  }
}
