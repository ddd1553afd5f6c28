import type { Clock } from '../../../provider/src/api/clock';

/** Whoever waits for others that wait for him does so for ever. */
const LONGEST_RUN_MS = 24 * 3_600_000;

/** Something that is due at a moment. */
interface Due {
  readonly at: number;
  /** Keeps what is due at the same moment in the order in which it was asked for. */
  readonly order: number;
  isCancelled: boolean;
  readonly act: () => void;
}

/** Lets everything that is ready run: a tick comes after all promise callbacks, however long their chain is. */
const settled = (): Promise<void> =>
  new Promise((resolve) => {
    process.nextTick(resolve);
  });

/** Time that stands still until everything has been done that can be done now, and then leaps to what is due next. */
export class VirtualTime {
  private readonly heap: Due[] = [];
  private order = 0;

  constructor(private time = Date.UTC(2030, 0, 1)) {}

  now(): number {
    return this.time;
  }

  /** Has something done after `delayMs`; the function that is returned calls it off. */
  after(delayMs: number, act: () => void): () => void {
    const due = { at: this.time + Math.max(0, delayMs), order: (this.order += 1), isCancelled: false, act };
    this.push(due);
    return () => {
      due.isCancelled = true;
    };
  }

  wait(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(delayMs, resolve);
    });
  }

  /** Lets time pass until the promise is settled. Fails where nothing is left that could settle it, or takes a day. */
  async run<T>(promise: Promise<T>): Promise<T> {
    const state = { isSettled: false };
    const settle = (): void => {
      state.isSettled = true;
    };
    promise.then(settle, settle);
    const end = this.time + LONGEST_RUN_MS;
    await settled();
    while (!state.isSettled) {
      const due = this.pop();
      if (due === undefined) throw new Error('nothing is left that could happen, and somebody still waits');
      if (due.isCancelled) continue;
      if (due.at > end) throw new Error('somebody has waited for a day');
      this.time = due.at;
      due.act();
      await settled();
    }
    return promise;
  }

  private push(due: Due): void {
    const { heap } = this;
    let index = heap.length;
    heap.push(due);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || isBefore(above, due)) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = due;
  }

  private pop(): Due | undefined {
    const { heap } = this;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      const right = left + 1;
      let child = heap[left];
      if (child === undefined) break;
      const other = heap[right];
      const isRight = other !== undefined && isBefore(other, child);
      if (isRight) child = other;
      if (isBefore(last, child)) break;
      heap[index] = child;
      index = isRight ? right : left;
    }
    heap[index] = last;
    return first;
  }
}

const isBefore = (one: Due, other: Due): boolean =>
  one.at === other.at ? one.order < other.order : one.at < other.at;

/** The clock of one process: it stops with it, and whoever sleeps by it never wakes. */
export class ProcessClock implements Clock {
  private isDead = false;
  private readonly startedAt: number;

  /** @param errorMs How far its time of day is from that of the simulation. */
  constructor(
    private readonly time: VirtualTime,
    private readonly errorMs: () => number = () => 0,
  ) {
    this.startedAt = time.now();
  }

  epochMs(): number {
    return this.time.now() + this.errorMs();
  }

  monotonicMs(): number {
    return this.time.now() - this.startedAt;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(stopped);
        return;
      }
      const cancel = this.time.after(ms, () => {
        if (this.isDead) return;
        signal?.removeEventListener('abort', stop);
        resolve();
      });
      const stop = (): void => {
        cancel();
        reject(stopped);
      };
      signal?.addEventListener('abort', stop, { once: true });
    });
  }

  kill(): void {
    this.isDead = true;
  }
}

// One reason for all: an error for each costs more than the sleep.
const stopped = new Error('the sleep was stopped');
