import type { ClientSettings } from '../../api/client';
import { STOPS_WITHIN_MS } from '../../hosts/engine-watch';
import { LIST_LAG_MS } from '../../run/service-times';
import { isOwn, shortType } from '../pulumi/managed';
import type { CliContext } from '../context';
import type { Interrupted } from './interrupted';

/** What a killed run may still change, and for how long at most. */
export interface Remaining {
  readonly totalMs: number;
  /** Each cause on a line, with its part of the wait. */
  readonly causes: readonly string[];
}

const NOTHING: Remaining = { totalMs: 0, causes: [] };

/**
 * How long it may take until the killed run can no longer change anything: the shorter of two bounds.
 *
 * - The CLI is gone, or the operator would not be here. Its plugin stops by itself, and requests that it has sent take
 *   effect within the time that it would have waited for an answer.
 * - Every operation began before the state was last written and ends with its deadline. This does not hold for a set, which
 *   renews its deadline with each request.
 */
export function timeUntilEnd(
  { deployment, operations, source }: Interrupted,
  { settings, nowMs }: { readonly settings: readonly ClientSettings[]; readonly nowMs: number },
): Remaining {
  if (!operations.some(({ resource }) => isOwn(resource))) return NOTHING;
  const longest = (times: readonly number[]): number => Math.max(0, ...times);
  const lateMs = longest(settings.map(({ requestTimeoutMs }) => requestTimeoutMs));
  const sinceDeath = STOPS_WITHIN_MS + lateMs + LIST_LAG_MS;
  const hasSet = operations.some(({ resource }) => shortType(resource.type) === 'IpPolicyRuleSet');
  const operationMs = longest(settings.map(({ operationTimeoutMs }) => operationTimeoutMs));
  // The CLI of a failed run ended by itself, after its plugin, so all its operations have ended.
  const openEnd = hasSet && source === 'pending' ? Infinity : operationMs;
  const sinceWritten = Date.parse(deployment.manifest.time) + openEnd + LIST_LAG_MS - nowMs;
  const totalMs = Math.min(...[sinceDeath, sinceWritten].filter((ms) => !Number.isNaN(ms)));
  if (totalMs <= 0) return NOTHING;
  return {
    totalMs,
    causes: [
      `${seconds(STOPS_WITHIN_MS)}: a plugin whose CLI is gone stops by itself`,
      `${seconds(lateMs)}: what it has sent may still take effect (edge-policy:requestTimeoutSeconds)`,
      `${seconds(LIST_LAG_MS)}: a list of rules may lag behind`,
    ],
  };
}

/** Waits, and says for what, for how long, and how to be sure sooner. Nothing has been changed before the wait ends. */
export async function awaitEnd(
  { totalMs, causes }: Remaining,
  { clock, note }: Pick<CliContext, 'clock' | 'note'>,
): Promise<void> {
  note(
    `Waiting ${seconds(totalMs)} at most, until the interrupted run can no longer change anything:\n` +
      causes.map((cause) => `  up to ${cause}\n`).join('') +
      'To continue sooner: if it was killed longer ago than that, and none of its processes is listed by\n' +
      '"pgrep -af \'dynamic-provider|pulumi-resource-edge-policy\'", press Ctrl-C (nothing has been changed yet) and run this again\n' +
      'with --no-wait.\n',
  );
  const endsAt = clock.monotonicMs() + totalMs;
  for (let leftMs = totalMs; leftMs > 0; leftMs = endsAt - clock.monotonicMs()) {
    note(`  ${seconds(leftMs)} left\n`);
    await clock.sleep(Math.min(leftMs, NOTE_EVERY_MS));
  }
}

const NOTE_EVERY_MS = 10_000;

const seconds = (ms: number): string => `${Math.ceil(ms / 1_000)} s`;
