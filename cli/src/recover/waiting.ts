import type { ClientSettings } from 'pulumi-edge-policy/internal/api/client';
import { STOPS_WITHIN_MS } from 'pulumi-edge-policy/internal/hosts/engine-watch';
import { LIST_LAG_MS } from 'pulumi-edge-policy/internal/run/service-times';
import type { CliContext } from '../command/context';

const NOTE_EVERY_MS = 10_000;

/**
 * Waits until a killed run can no longer change anything, and says how to be sure sooner. The CLI is gone, or the operator would
 * not be here. Its plugin stops by itself, requests that it has sent take effect within the time that it would have waited for
 * an answer, and then a list may lag behind.
 */
export async function awaitEnd(
  settings: readonly ClientSettings[],
  { clock, note }: Pick<CliContext, 'clock' | 'note'>,
): Promise<void> {
  const lateMs = Math.max(...settings.map(({ requestTimeoutMs }) => requestTimeoutMs));
  const totalMs = STOPS_WITHIN_MS + lateMs + LIST_LAG_MS;
  note(
    `Waiting ${seconds(totalMs)}, until the interrupted run can no longer change anything:\n` +
      `  up to ${seconds(STOPS_WITHIN_MS)}: a plugin whose CLI is gone stops by itself\n` +
      `  up to ${seconds(lateMs)}: what it has sent may still take effect (edge-policy:requestTimeoutSeconds)\n` +
      `  up to ${seconds(LIST_LAG_MS)}: a list of rules may lag behind\n` +
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

const seconds = (ms: number): string => `${Math.ceil(ms / 1_000)} s`;
