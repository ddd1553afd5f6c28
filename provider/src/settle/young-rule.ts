import type { Deadline } from '../api/deadline';
import type { RuleClient } from './context';
import { isYoung, YOUNG_RULE_DELAYS_MS } from './service-times';

interface PerhapsYoung {
  readonly client: Pick<RuleClient, 'clock' | 'serverTimeOffsetMs'>;
  /** RFC 3339; without it the first answer counts. */
  readonly createdAt?: string | undefined;
}

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
  for (const delayMs of YOUNG_RULE_DELAYS_MS) {
    if (found !== undefined || !isYoung(client, young.createdAt)) return found;
    await client.clock.sleep(Math.min(delayMs, deadline.remainingMs()));
    found = await look();
  }
  return found;
}
