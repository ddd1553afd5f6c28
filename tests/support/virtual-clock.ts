import type { Clock } from '../../provider/src/api/clock';

/** A deadlock: every waiter waits for another. */
const LONGEST_RUN_MS = 24 * 3_600_000;

const SHORTEST_MS = 0.001;

/** Work that is due at a moment. */
interface Due {
  readonly at: number;
  /** Whether something else, such as an answer, may come first and call it off. */
  readonly isImpatient: boolean;
  readonly act: () => void;
}

/** Lets everything that is ready run: a tick comes after all promise callbacks, however long their chain is. */
const settled = (): Promise<void> =>
  new Promise((resolve) => {
    process.nextTick(resolve);
  });

// One shared object, as an error for each would cost more than the sleep.
const stopped = new Error('the sleep was stopped');

/**
 * A clock that stands still until it is moved, and then does what is due, in order. Tests move it themselves; the simulation
 * gives each process a view of it; `IdleClock` moves itself.
 */
export class VirtualClock implements Clock {
  /** Every delay that was slept for, in order. */
  readonly sleeps: number[] = [];
  private time = 0;
  /** What is due, the earliest last. */
  private readonly dues: Due[] = [];

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

  /** Moves the time and does nothing, for events long ago. */
  pass(ms: number): void {
    this.time += ms;
  }

  /** How many things are due at some time. */
  get pending(): number {
    return this.dues.length;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.sleeps.push(ms);
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(stopped);
        return;
      }
      const wake = (): void => {
        signal?.removeEventListener('abort', stop);
        resolve();
      };
      const cancel = this.after(ms, wake, signal !== undefined);
      const stop = (): void => {
        cancel();
        reject(stopped);
      };
      signal?.addEventListener('abort', stop, { once: true });
    });
  }

  /** Does something after `delayMs`, following what is already due at that moment; the returned function calls it off. */
  after(delayMs: number, act: () => void, isImpatient = false): () => void {
    const { dues } = this;
    // A number of days has no room for the smallest fractions: time would stand still.
    const due = { at: this.time + (delayMs > 0 ? Math.max(SHORTEST_MS, delayMs) : 0), isImpatient, act };
    dues.splice(dues.findLastIndex(({ at }) => at > due.at) + 1, 0, due);
    return () => {
      const index = dues.indexOf(due);
      if (index >= 0) dues.splice(index, 1);
    };
  }

  /** Moves the time by `ms`, doing everything on the way. */
  async advance(ms: number): Promise<void> {
    const endsAt = this.time + ms;
    await Promise.resolve();
    await settled();
    while ((this.earliest?.at ?? Infinity) <= endsAt) {
      this.leap();
      await settled();
    }
    this.time = endsAt;
  }

  /** Moves the time until the promise is settled. Fails if nothing is left that could settle it, or if it takes a day. */
  async run<T>(promise: Promise<T>): Promise<T> {
    const end = this.time + LONGEST_RUN_MS;
    const state = { isSettled: false };
    const settle = (): void => {
      state.isSettled = true;
    };
    promise.then(settle, settle);
    await Promise.resolve();
    await settled();
    while (!state.isSettled) {
      if (!this.leap()) throw new Error('nothing is left that could happen, and somebody still waits');
      if (this.time > end) throw new Error('somebody has waited for a day');
      await settled();
    }
    return promise;
  }

  /** What is due first. */
  protected get earliest(): Due | undefined {
    return this.dues.at(-1);
  }

  /** Moves the time to the next due work, and does it; returns whether there was any. */
  protected leap(): boolean {
    const due = this.dues.pop();
    if (due === undefined) return false;
    this.time = Math.max(this.time, due.at);
    due.act();
    return true;
  }
}
