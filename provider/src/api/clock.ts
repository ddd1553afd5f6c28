/** Time as the client sees it; tests bring their own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

// `setTimeout` holds its delay in 32 bits: 2 ** 31 ms would fire after one millisecond.
const longestTimerMs = 2 ** 31 - 1;

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

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    signal?.throwIfAborted();
    let leftMs = Math.max(0, ms);
    while (leftMs > longestTimerMs) {
      await timer(longestTimerMs, signal);
      leftMs -= longestTimerMs;
    }
    await timer(leftMs, signal);
  },
};
