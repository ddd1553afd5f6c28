import type { VisibleRule } from '../model/declarations';
import { type CidrSet, touches } from './cidr-set';
import { doAllowsCount, doDeniesCount, type IpModel } from './evaluation-model';
import type { PolicyChange } from './policy-change';

/** The changed rules that contribute to a gain: allow rules that come, and deny rules that go. */
export interface Contributors {
  readonly added: readonly VisibleRule[];
  readonly removed: readonly VisibleRule[];
}

/** Says which changed rules touch the gained addresses. */
export function contributorsTo(policy: PolicyChange, gained: CidrSet, model: IpModel): Contributors {
  const touching = (rules: readonly VisibleRule[], wanted: VisibleRule['action']) =>
    rules.filter(({ action, cidr }) => action === wanted && touches(gained, cidr));
  return {
    added: doAllowsCount(model) ? touching(policy.added, 'allow') : [],
    removed: doDeniesCount(model) ? touching(policy.removed, 'deny') : [],
  };
}
