import { compareCidrs } from 'pulumi-edge-policy/internal/values/cidr';
import type { VisibleRule } from '../model/declarations';
import { type CidrSet, cidrSetOf, subtract, touches } from './cidr-set';
import { doAllowsCount, doDeniesCount, type IpModel } from './evaluation-model';
import type { PolicyChange } from './policy-change';
import type { PolicySide } from './policy-side';

/** The changed rules that contribute to a gain (allow rules that come, deny rules that go) or to a loss (the other way round). */
export interface Contributors {
  readonly added: readonly VisibleRule[];
  readonly removed: readonly VisibleRule[];
}

/**
 * Says which changed rules contribute to a move of these addresses, the widest first. An added rule adds nothing where others did
 * the same before; a removed one takes nothing away where others still do the same.
 */
export function contributorsTo(
  { added, removed, before, after }: PolicyChange,
  moved: CidrSet,
  { isGain, model }: { readonly isGain: boolean; readonly model: IpModel },
): Contributors {
  const contributing = (rules: readonly VisibleRule[], action: VisibleRule['action'], other: PolicySide) => {
    if (!(action === 'allow' ? doAllowsCount : doDeniesCount)(model)) return [];
    const open = subtract(moved, lastingNetworks(other, action));
    return rules.filter((rule) => rule.action === action && touches(open, rule.cidr)).sort(widestFirst);
  };
  const [comes, goes] = isGain ? (['allow', 'deny'] as const) : (['deny', 'allow'] as const);
  return { added: contributing(added, comes, before), removed: contributing(removed, goes, after) };
}

/** Sort order: the wider network first. */
export const widestFirst = ({ cidr: left }: VisibleRule, { cidr: right }: VisibleRule): number =>
  left.prefixLength - right.prefixLength || compareCidrs(left, right);

/** What the rules of an action match at every time. */
const lastingNetworks = (side: PolicySide, action: VisibleRule['action']): CidrSet =>
  side.hasEnds
    ? cidrSetOf(
        side.sureRules.flatMap((rule) =>
          rule.action === action && rule.until === undefined ? rule.cidr : [],
        ),
      )
    : side[action === 'allow' ? 'allowed' : 'denied'];
