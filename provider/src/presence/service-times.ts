// What the provider assumes about time at the service, and how the service's clock relates to ours. The document leaves these
// questions open. The emulator has a switch for each.
import type { Deadline } from '../api/clock';
import type { ApiClient } from '../api/client';

/** How long a list may lag behind a create. */
export const LIST_LAG_MS = 10_000;

/** The age at which a list is reliable: the lag, and a reserve. */
export const LIST_SETTLED_MS = 15_000;

/** The waits between looks at the list for the rule of a lost answer. Together they last until a list is reliable. */
export const LOST_RULE_DELAYS_MS = [1_000, 2_000, 4_000, 8_000];

/** The waits between looks at such a young object: five seconds together. */
export const YOUNG_DELAYS_MS = [500, 1_000, 1_500, 2_000];

/** How long a read may show an object as it was before its last write or delete. */
const READ_LAG_MS = 5_000;

/** How far two unsynchronised clocks may differ. */
const UNKNOWN_SKEW_MS = 120_000;

/** How far the times of creation may be from the Date header of the same service. */
export const CREATED_AT_MARGIN_MS = 4_000;

/** The age below which a 404 does not prove that an object is gone: the lag, as far as a time of creation shows. */
const YOUNG_MS = READ_LAG_MS + CREATED_AT_MARGIN_MS;

export type Clocks = Pick<ApiClient, 'clock' | 'serverTimeOffsetMs'>;

/** To add to our monotonic time to get the service's; until an answer has shown the difference, it counts as `unknownMs`. */
const offsetMs = (client: Clocks, unknownMs: number): number =>
  client.serverTimeOffsetMs() ?? client.clock.epochMs() + unknownMs - client.clock.monotonicMs();

/** The time by the service's clock, as far as its answers have shown it. */
export const serviceNowMs = (client: Clocks): number => client.clock.monotonicMs() + offsetMs(client, 0);

/** Converts a time of our monotonic clock to the service's. Until an answer has shown the difference, the result is earlier. */
export const serviceTimeMs = (client: Clocks, ourMs: number): number =>
  ourMs + offsetMs(client, -UNKNOWN_SKEW_MS);

/** The time by the service's clock (RFC 3339). Until an answer has shown the difference, the result is later. */
export const latestServiceNow = (client: Clocks): string =>
  new Date(client.clock.monotonicMs() + offsetMs(client, UNKNOWN_SKEW_MS)).toISOString();

/** Whether an object was created (RFC 3339) so recently that a 404 proves nothing. */
export const isYoung = (client: Clocks, createdAt: string | undefined): boolean =>
  serviceNowMs(client) < Date.parse(createdAt ?? '') + YOUNG_MS;

/** Waits until a read shows no state from before a moment of our monotonic clock. */
export async function untilRead({ client, deadline }: Waiting, momentMs: number): Promise<void> {
  const waitMs = momentMs + READ_LAG_MS - client.clock.monotonicMs();
  await client.clock.sleep(Math.min(waitMs, deadline.remainingMs()));
}

/** When, by our monotonic clock, a list must show a rule; later until an answer has shown how the clocks differ. */
export const listedFromMs = (client: Clocks, createdAt: string | undefined): number =>
  Date.parse(createdAt ?? '') + LIST_SETTLED_MS - offsetMs(client, -UNKNOWN_SKEW_MS);

/** Waits until a list must show a rule. Returns false if there was no need to. */
export async function untilListed({ client, createdAtLatest, deadline }: PerhapsUnlisted): Promise<boolean> {
  const waitMs = listedFromMs(client, createdAtLatest) - client.clock.monotonicMs();
  const isWaiting = waitMs > 0;
  if (isWaiting) await client.clock.sleep(Math.min(waitMs, LIST_SETTLED_MS, deadline.remainingMs()));
  return isWaiting;
}

export interface Waiting {
  readonly client: Clocks;
  readonly deadline: Deadline;
}

interface PerhapsUnlisted extends Waiting {
  /** The latest time at which it can have been created (RFC 3339). */
  readonly createdAtLatest?: string | undefined;
}
