// What the provider assumes about time at the service, and how the service's clock relates to ours. The document leaves these
// things open; the emulator has a switch for each.
import type { Deadline } from '../api/deadline';
import type { ApiClient } from '../api/client';

/** How long a list may lag behind a create. */
export const LIST_LAG_MS = 10_000;

/** After so long a list is relied on: the lag, and a reserve. */
const LIST_SETTLED_MS = 15_000;

/** The waits between looks at the list for the rule of a lost answer; together until a list is relied on. */
export const LOST_RULE_DELAYS_MS = [1_000, 2_000, 4_000, 8_000];

/** How long after a rule's creation a 404 does not prove that it is gone. */
const YOUNG_MS = 5_000;

/** The waits between looks at a rule while it is so young; together as long as that time. */
export const YOUNG_RULE_DELAYS_MS = [500, 1_000, 1_500, 2_000];

/** How far two unsynchronised clocks may differ. */
const UNKNOWN_SKEW_MS = 120_000;

/** The service may truncate its times to whole seconds. */
const GRAIN_MS = 1_000;

/** How the service's clock relates to ours, as a client has learned it. */
export type Clocks = Pick<ApiClient, 'clock' | 'serverTimeOffsetMs'>;

/**
 * Milliseconds to add to our monotonic time to get the service's (epoch milliseconds). If no answer has shown the difference,
 * it is assumed to be `unknownMs`.
 */
const offsetMs = (client: Clocks, unknownMs: number): number =>
  client.serverTimeOffsetMs() ?? client.clock.epochMs() + unknownMs - client.clock.monotonicMs();

/** The time by the service's clock, as far as its answers have shown it. */
export const serviceNowMs = (client: Clocks): number => client.clock.monotonicMs() + offsetMs(client, 0);

/** A time of our monotonic clock by the service's, or an earlier one if no answer has shown how they differ. */
export const serviceTimeMs = (client: Clocks, ourMs: number): number =>
  ourMs + offsetMs(client, -UNKNOWN_SKEW_MS);

/** The time by the service's clock, or a later one if no answer has shown how the clocks differ. */
export const latestServiceNowMs = (client: Clocks): number =>
  client.clock.monotonicMs() + offsetMs(client, UNKNOWN_SKEW_MS);

/** Whether something was created at or after a moment, both by the service's clock; false if its time is unreadable. */
export const isCreatedSince = (createdAt: string, momentMs: number): boolean =>
  Date.parse(createdAt) >= Math.floor(momentMs / GRAIN_MS) * GRAIN_MS;

/** Whether a rule was created (RFC 3339) so recently that a 404 proves nothing. */
export const isYoung = (client: Clocks, createdAt: string | undefined): boolean =>
  serviceNowMs(client) < Date.parse(createdAt ?? '') + YOUNG_MS;

/**
 * When, by our monotonic clock, a list must show a rule that was created at some time (RFC 3339); a later time if no answer has
 * shown how the clocks differ.
 */
export const listedFromMs = (client: Clocks, createdAt: string | undefined): number =>
  Date.parse(createdAt ?? '') + LIST_SETTLED_MS - offsetMs(client, -UNKNOWN_SKEW_MS);

/** Waits until a list must show a rule that was created at some time (RFC 3339). */
export async function untilListed({ client, createdAtLatest, deadline }: PerhapsUnlisted): Promise<void> {
  const waitMs = listedFromMs(client, createdAtLatest) - client.clock.monotonicMs();
  if (waitMs > 0) await client.clock.sleep(Math.min(waitMs, LIST_SETTLED_MS, deadline.remainingMs()));
}

interface PerhapsUnlisted {
  readonly client: Clocks;
  /** When it was created at the latest (RFC 3339). */
  readonly createdAtLatest?: string | undefined;
  readonly deadline: Deadline;
}
