import type { Deadline } from '../api/deadline';
import type { RuleClient } from './context';

/** How long after its creation a 404 is no proof that a rule is gone. */
const YOUNG_MS = 5_000;
const LOOK_DELAYS_MS = [500, 1_000, 1_500, 2_000];

interface PerhapsYoung {
  readonly client: Pick<RuleClient, 'clock' | 'serverTimeOffsetMs'>;
  /** RFC 3339; without it the first answer counts. */
  readonly createdAt: string | undefined;
}

/** Whether a rule was created so recently that a 404 proves nothing. */
export const isYoung = ({ client, createdAt }: PerhapsYoung): boolean =>
  client.clock.now() + (client.serverTimeOffsetMs() ?? 0) < Date.parse(createdAt ?? '') + YOUNG_MS;

/**
 * Looks for a rule; where it is not found although it was created only just now, looks again until it is old enough to be
 * believed gone. A service that reads from a copy may not know it yet, and a rule taken for gone is an orphan.
 */
export async function lookWhileYoung<T>(
  young: PerhapsYoung & { readonly deadline: Deadline },
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const { client, deadline } = young;
  let found = await look();
  for (const delayMs of LOOK_DELAYS_MS) {
    if (found !== undefined || !isYoung(young)) return found;
    await client.clock.sleep(Math.min(delayMs, deadline.remainingMs()));
    found = await look();
  }
  return found;
}
