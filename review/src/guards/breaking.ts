import {
  type CidrSet,
  complement,
  intersect,
  overlap,
  subtract,
} from 'pulumi-edge-policy/internal/values/cidr-set';
import { untilAt } from 'pulumi-edge-policy/internal/values/until';
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

/** When something that holds at the apply does not hold any more, as rules end, on one side of the change. */
export function breakOf(
  { expectation, named }: Demand,
  moments: readonly Moment[],
  side: 'before' | 'after',
): Break | undefined {
  const wrong = expectation === 'within' ? complement(named) : named;
  const leftOut = ({ concerned, [side]: letIn }: Moment, bound: 'surely' | 'possibly'): CidrSet =>
    expectation === 'allow' ? subtract(concerned, letIn[bound]) : letIn[bound];
  const [sure, possible] =
    expectation === 'allow' ? (['possibly', 'surely'] as const) : (['surely', 'possibly'] as const);
  const first = moments.find((moment) => overlap(leftOut(moment, possible), wrong));
  if (!first) return undefined;
  const isSure = overlap(leftOut(first, sure), wrong);
  const offenders = intersect(leftOut(first, isSure ? sure : possible), wrong);
  return { atMs: first.atMs, until: untilAt(first.atMs), offenders, isSure };
}
