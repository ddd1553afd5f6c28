import type { Clock } from '../../provider/src/api/clock';

interface Sleeper {
  readonly wakesAt: number;
  /** Whether it waits for something that may come first, such as an answer. */
  readonly isImpatient: boolean;
  readonly wake: () => void;
}

/** Real time without any event after which nothing is expected any more: loopback answers take a fraction of it. */
const IDLE_MS = 5;
/** Turns of the event loop that let everything that is on its way through a socket of this process arrive: 1 MB too. */
const TURNS = 100;

/**
 * A clock for tests over real sockets: its time stands still while anything happens, and leaps to the next sleeper as
 * soon as nothing does. Minutes of waiting take milliseconds, and no request times out because the machine is busy.
 */
export class IdleClock implements Clock {
  private sleepers: Sleeper[] = [];
  private changes = 0;
  private isWatching = false;

  private time = 0;

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

  /** A wait that nothing can cut short is over at once, unless another ends earlier. */
  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.changes += 1;
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(new Error('the sleep was stopped'));
        return;
      }
      const stop = (): void => {
        this.remove(sleeper);
        reject(new Error('the sleep was stopped'));
      };
      const wake = (): void => {
        signal?.removeEventListener('abort', stop);
        resolve();
      };
      const sleeper = { wakesAt: this.time + Math.max(0, ms), isImpatient: signal !== undefined, wake };
      signal?.addEventListener('abort', stop, { once: true });
      this.sleepers.push(sleeper);
      void this.watch();
    });
  }

  /** Moves the time while nothing sleeps, for what happened long ago. */
  pass(ms: number): void {
    this.time += ms;
  }

  private async watch(): Promise<void> {
    if (this.isWatching) return;
    this.isWatching = true;
    while (this.sleepers.length > 0) {
      const before = this.changes;
      if (this.earliest()?.isImpatient === true) await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
      // A timer that fires late, on a busy machine, fires before the answers that have arrived meanwhile are read.
      for (let turn = 0; turn < TURNS; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      if (before === this.changes) this.wakeNext();
    }
    this.isWatching = false;
  }

  private wakeNext(): void {
    const next = this.earliest();
    if (next === undefined) return;
    this.remove(next);
    this.time = Math.max(this.time, next.wakesAt);
    next.wake();
  }

  private earliest(): Sleeper | undefined {
    return this.sleepers.reduce<Sleeper | undefined>(
      (first, sleeper) => (first === undefined || sleeper.wakesAt < first.wakesAt ? sleeper : first),
      undefined,
    );
  }

  private remove(sleeper: Sleeper): void {
    this.changes += 1;
    this.sleepers = this.sleepers.filter((other) => other !== sleeper);
  }
}
