import { isCreatedSince } from '../../run/service-times';
import type { Deployment } from '../pulumi/deployment';

/** One entry of `pulumi stack history --json`, reduced to what is used. Interrupted runs leave none. */
interface HistoryEntry {
  readonly kind?: string;
  readonly result?: string;
  readonly endTime?: string;
}

/** The earliest creation times of objects of an interrupted operation, in epoch milliseconds of this machine's clock. */
export interface TimeWindow {
  /** The stack did not exist before: older objects are not its own. NaN if not known. */
  readonly stackBeganAt: number;
  /**
   * The end of the last successful run, at which nothing was left undone. The operation began later, unless it is an older one
   * that nobody has resolved and that the engine carries along.
   */
  readonly operationBeganAfter: number;
}

/** Reads when the interrupted operations can have begun. The state does not say it, as pending operations carry no time. */
export function timeWindow(deployment: Deployment, history: string): TimeWindow {
  const stack = deployment.resources.find(({ type }) => type === 'pulumi:pulumi:Stack');
  const stackBeganAt = Date.parse(stack?.created ?? '');
  const ends = (JSON.parse(history || '[]') as readonly HistoryEntry[])
    .filter(({ kind, result }) => (kind === 'update' || kind === 'destroy') && result === 'succeeded')
    .map(({ endTime }) => Date.parse(endTime ?? ''))
    .filter((end) => !Number.isNaN(end));
  return { stackBeganAt, operationBeganAfter: ends.length === 0 ? stackBeganAt : Math.max(...ends) };
}

/** Whether the last finished run has failed. */
export const hasFailed = (history: string): boolean =>
  (JSON.parse(history || '[]') as readonly HistoryEntry[])[0]?.result === 'failed';

/** When an object was created, relative to an interrupted operation. */
export type Age = 'fits' | 'unsure' | 'older';

/** `offsetMs` is added to our time to get the service's. */
export function ageOf(createdAt: string, window: TimeWindow, offsetMs: number): Age {
  const created = Date.parse(createdAt);
  const isSince = (moment: number): boolean => isCreatedSince(createdAt, moment + offsetMs);
  if (isSince(window.operationBeganAfter)) return 'fits';
  const isOlder =
    !Number.isNaN(created) && !Number.isNaN(window.stackBeganAt) && !isSince(window.stackBeganAt);
  return isOlder ? 'older' : 'unsure';
}
