import type { ApiClient } from '../api/client';
import type { Deadline } from '../api/deadline';

/** How long after its creation a 404 is no proof that a rule is gone. */
const YOUNG_MS = 5_000;
const LOOK_DELAYS_MS = [500, 1_000, 1_500, 2_000];

/**
 * Looks for a rule; where it is not found although it was created only just now, looks again until it is old enough to be
 * believed gone. A service that reads from a copy may not know it yet, and a rule taken for gone is an orphan.
 */
export async function lookWhileYoung<T>(
  young: {
    readonly client: ApiClient;
    readonly deadline: Deadline;
    /** RFC 3339; without it the first answer counts. */
    readonly createdAt: string | undefined;
  },
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const { client, createdAt, deadline } = young;
  const createdAtMs = Date.parse(createdAt ?? '');
  const isYoung = (): boolean =>
    client.clock.now() + (client.serverTimeOffsetMs() ?? 0) < createdAtMs + YOUNG_MS;
  let found = await look();
  for (const delayMs of LOOK_DELAYS_MS) {
    if (found !== undefined || !isYoung()) return found;
    await client.clock.sleep(Math.min(delayMs, deadline.remainingMs()));
    found = await look();
  }
  return found;
}
