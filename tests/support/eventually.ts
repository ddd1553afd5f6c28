import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 25;

/** Polls until the probe returns something, for what another process does in its own time. */
export const eventually = async <T>(
  what: string,
  probe: () => T | undefined | Promise<T | undefined>,
  timeoutMs = 30_000,
): Promise<T> => {
  const endsAt = Date.now() + timeoutMs;
  for (;;) {
    const answer = await probe();
    if (answer !== undefined) return answer;
    if (Date.now() > endsAt) throw new Error(`${what}: not within ${timeoutMs} ms`);
    await sleep(POLL_MS);
  }
};
