import { type CidrSet, complement, intersect, overlap, subtract } from '../access/cidr-set';
import { untilAt } from 'pulumi-edge-policy/internal/values/until';
import type { AddressBounds } from '../access/bounds';
import type { Moment } from '../access/timeline';
import type { Assertion } from './assertion';

/** What must hold of some addresses. */
export interface Demand {
  readonly expectation: Assertion['expectation'];
  readonly named: CidrSet;
}

/** The first moment at which addresses are, or may be, on the wrong side. */
export interface Break {
  readonly atMs: number;
  /** The canonical text of the end of the rule. */
  readonly until: string;
  readonly offenders: CidrSet;
  readonly isSure: boolean;
}

/**
 * When something that holds at the apply does not hold any more, as rules end: for whatever reason, or for addresses that would
 * be on the right side then without the change.
 */
export function breakOf(
  { expectation, named }: Demand,
  moments: readonly Moment[],
  whose: 'any' | 'of the change',
): Break | undefined {
  const wrong = expectation === 'within' ? complement(named) : named;
  const offendersAt = ({ concerned, after, gained, lost }: Moment): AddressBounds => {
    const isShut = expectation === 'allow';
    if (whose === 'of the change') return isShut ? lost : gained;
    if (!isShut) return after;
    return { surely: subtract(concerned, after.possibly), possibly: subtract(concerned, after.surely) };
  };
  const first = moments.find((moment) => overlap(offendersAt(moment).possibly, wrong));
  if (!first) return undefined;
  const { surely, possibly } = offendersAt(first);
  const isSure = overlap(surely, wrong);
  const offenders = intersect(isSure ? surely : possibly, wrong);
  return { atMs: first.atMs, until: untilAt(first.atMs), offenders, isSure };
}
