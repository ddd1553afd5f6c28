import { parseHttpDate } from './retry';

/** The clock of the client; tests inject their own. */
export interface Clock {
  /** The time of day, in milliseconds since the epoch. For dates only, as it can be set at any moment. */
  epochMs(): number;
  /** Milliseconds on a monotonic clock, which cannot be set: for deadlines, paces, pauses and ages. */
  monotonicMs(): number;
  /** Resolves after `ms`; rejects with the signal's reason if it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

const timer = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(handle);
      reject(signal?.reason instanceof Error ? signal.reason : new Error('sleep was stopped'));
    };
    const handle = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });

/**
 * A clock whose sleepers wake up at once when the run is cancelled. Sleeps with a signal of their own go on, as a request that
 * is under way may still be answered in time.
 */
export function cancellable(clock: Clock, cancellation: AbortSignal): Clock {
  const sleepers = new Set<() => void>();
  const wakeAll = (): void => {
    for (const wake of sleepers) wake();
  };
  cancellation.addEventListener('abort', wakeAll, { once: true });
  return {
    epochMs: () => clock.epochMs(),
    monotonicMs: () => clock.monotonicMs(),
    sleep(ms, signal) {
      if (signal !== undefined) return clock.sleep(ms, signal);
      if (cancellation.aborted) return Promise.resolve();
      return new Promise((resolve, reject) => {
        sleepers.add(resolve);
        const isOver = (): boolean => sleepers.delete(resolve);
        clock.sleep(ms).finally(isOver).then(resolve, reject);
      });
    },
  };
}

/** The clock of the machine. */
export const systemClock: Clock = {
  epochMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  async sleep(ms, signal) {
    signal?.throwIfAborted();
    // Every wait ends with a deadline, of a day at most: `setTimeout` holds its delay in 31 bits.
    await timer(Math.max(0, ms), signal);
  },
};

const DATE_STEP_MS = 1000;

/**
 * Estimates from the Date headers of answers how far the service's clock is ahead of our monotonic one. The headers are
 * truncated to seconds and delayed by the way back, so the estimate approaches the truth from below and never exceeds it: a
 * time derived from it is never later than the service's own.
 */
export class ServerClock {
  /** Milliseconds to add to our monotonic time to get the service's; undefined before the first answer. */
  offsetMs: number | undefined;

  /** Takes in the header of an answer, with the monotonic times of its request and its arrival. */
  observe(dateHeader: string | undefined, sentAt: number, answeredAt: number): void {
    const dateMs = parseHttpDate(dateHeader ?? '');
    if (dateMs === undefined) return;
    const atLeast = dateMs - answeredAt;
    const atMost = dateMs + DATE_STEP_MS - sentAt;
    const known = this.offsetMs;
    // If this answer allows less than the estimate, the clock of the service has been set.
    this.offsetMs = known === undefined || known > atMost ? atLeast : Math.max(known, atLeast);
  }
}
