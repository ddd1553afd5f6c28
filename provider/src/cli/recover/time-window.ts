import { isCreatedSince } from '../../settle/service-times';
import type { Deployment } from '../pulumi/deployment';

/** One entry of `pulumi stack history --json`, as far as it matters. Interrupted runs leave none. */
interface HistoryEntry {
  readonly kind?: string;
  readonly result?: string;
  readonly endTime?: string;
}

/** Since when an object can stem from an interrupted operation, in epoch milliseconds of this machine's clock. */
export interface TimeWindow {
  /** The stack did not exist before: nothing older is its work. NaN if not known. */
  readonly stackBeganAt: number;
  /**
   * The end of the last successful run, at which nothing was left undone: the operation began later, unless it is an
   * older one that nobody has resolved and the engine carries along.
   */
  readonly operationBeganAfter: number;
}

/** Reads when the interrupted operations can have begun. The state does not say it: pending operations carry no time. */
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

/** How an object's creation lies to an interrupted operation. */
export type Age = 'fits' | 'unsure' | 'older';

/** `offsetMs` is what to add to our time for that of the service. */
export function ageOf(createdAt: string, window: TimeWindow, offsetMs: number): Age {
  const created = Date.parse(createdAt);
  const isSince = (moment: number): boolean => isCreatedSince(createdAt, moment + offsetMs);
  if (isSince(window.operationBeganAfter)) return 'fits';
  const isOlder =
    !Number.isNaN(created) && !Number.isNaN(window.stackBeganAt) && !isSince(window.stackBeganAt);
  return isOlder ? 'older' : 'unsure';
}
