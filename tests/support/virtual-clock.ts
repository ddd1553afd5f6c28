import type { Clock } from '../../provider/src/api/clock';

/** Whoever waits for others that wait for him does so for ever. */
const LONGEST_RUN_MS = 24 * 3_600_000;

/** Something that is due at a moment. */
interface Due {
  readonly at: number;
  /** Whether something else may come first and call it off, such as an answer. */
  readonly isImpatient: boolean;
  readonly act: () => void;
}

/** Lets everything that is ready run: a tick comes after all promise callbacks, however long their chain is. */
const settled = (): Promise<void> =>
  new Promise((resolve) => {
    process.nextTick(resolve);
  });

// One reason for all: an error for each costs more than the sleep.
const stopped = new Error('the sleep was stopped');

/**
 * A clock that stands still until it is moved, and then does in order what is due. Tests move it themselves; the simulation gives
 * each process a view of it; `IdleClock` moves itself.
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

  /** Moves the time and does nothing, for what happened long ago. */
  pass(ms: number): void {
    this.time += ms;
  }

  /** How much is due some time. */
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

  /** Has something done after `delayMs`, and after what is due at that moment already; the function that is returned calls it off. */
  after(delayMs: number, act: () => void, isImpatient = false): () => void {
    const { dues } = this;
    const due = { at: this.time + Math.max(0, delayMs), isImpatient, act };
    let [low, high] = [0, dues.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((dues[middle]?.at ?? 0) > due.at) low = middle + 1;
      else high = middle;
    }
    dues.splice(low, 0, due);
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

  /** Moves the time until the promise is settled. Fails where nothing is left that could settle it, or it takes a day. */
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

  /** Moves the time to what is due first, and does it; answers whether there was anything. */
  protected leap(): boolean {
    const due = this.dues.pop();
    if (due === undefined) return false;
    this.time = Math.max(this.time, due.at);
    due.act();
    return true;
  }
}
