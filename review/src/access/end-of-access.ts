import { type CidrSet, isEmptyCidrSet, overlap, subtract, unionAll } from './cidr-set';
import { untilAt } from 'pulumi-edge-policy/internal/values/until';
import type { Moment } from './timeline';

/** Access that ends. */
export interface EndOfAccess {
  /** When the last of it ends. */
  readonly until: string;
  readonly isAll: boolean;
  /** Whether all of it ends at that moment. */
  readonly isAtOnce: boolean;
}

/** When access that begins at a time ends; undefined if none of it does. */
export function endOfAccess(
  access: CidrSet,
  moments: readonly Moment[],
  fromMs = Number.NEGATIVE_INFINITY,
): EndOfAccess | undefined {
  const ends = moments
    .filter(({ atMs }) => atMs > fromMs)
    .map(({ atMs, concerned, after }) => ({ atMs, over: subtract(concerned, after.surely) }))
    .filter(({ over }) => overlap(over, access));
  const last = ends.at(-1);
  if (!last) return undefined;
  const lasting = subtract(access, unionAll(ends.map(({ over }) => over)));
  return { until: untilAt(last.atMs), isAll: isEmptyCidrSet(lasting), isAtOnce: ends.length === 1 };
}
