import { endMs } from 'pulumi-edge-policy/internal/values/until';
import type { CidrSet } from 'pulumi-edge-policy/internal/values/cidr-set';
import {
  cidrSetOf,
  intersect,
  isEmptyCidrSet,
  subtract,
  touches,
} from 'pulumi-edge-policy/internal/values/cidr-set';
import type { VisibleRule } from '../model/declarations';
import type { IpModel } from './evaluation-model';
import type { PolicySide } from './policy-side';
import { evaluate } from './policy-side';

/** Access that ends. */
export interface EndOfAccess {
  /** When the last of it ends. */
  readonly until: string;
  readonly isAll: boolean;
  /** Whether all of it ends at that moment. */
  readonly isAtOnce: boolean;
}

/** When the access that a policy gives ends; undefined if none of it does. */
export function endOfAccess(side: PolicySide, access: CidrSet, model: IpModel): EndOfAccess | undefined {
  const ending = side.byAction.allow.rules.filter(
    ({ until, cidr }) => until !== undefined && touches(access, cidr),
  );
  if (ending.length === 0) return undefined;
  const lasting = letInBy(
    side.rules.filter(({ until, action }) => action === 'deny' || until === undefined),
    model,
  );
  const over = subtract(access, lasting);
  if (isEmptyCidrSet(over)) return undefined;
  const ends = new Set(ending.map(({ until = '' }) => until));
  const until = [...ends].sort((left, right) => endMs(left) - endMs(right)).at(-1) ?? '';
  return { until, isAll: isEmptyCidrSet(intersect(access, lasting)), isAtOnce: ends.size === 1 };
}

/** The addresses that some rules let in. */
function letInBy(rules: readonly VisibleRule[], model: IpModel): CidrSet {
  const networksOf = (action: VisibleRule['action']): CidrSet =>
    cidrSetOf(rules.flatMap((rule) => (rule.action === action ? [rule.cidr] : [])));
  return evaluate({ allowed: networksOf('allow'), denied: networksOf('deny') }, model);
}
