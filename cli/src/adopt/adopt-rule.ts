import { ipPolicyRuleFields, ipPolicyRuleState } from 'pulumi-edge-policy/internal/rule/rule-state';
import { detailsOf, type ServiceRule } from 'pulumi-edge-policy/internal/rule/rule';
import { type Adoptable, type NotAdoptable, resourceInState } from './adoption';
import { Reference } from './code/value';
import { nameFromCidr, nameFromText } from './names';

/** The name of the constant that holds the policy's id, before it is made unique. */
export const POLICY_CONSTANT = 'ipPolicyId';

/** Turns a live rule into one resource. */
export function adoptRule(rule: ServiceRule): Adoptable | NotAdoptable {
  const state = ipPolicyRuleState(rule);
  const summary = `${rule.action} ${state.cidr}`;
  const inState = resourceInState(ipPolicyRuleFields, state);
  if ('reason' in inState) return { id: rule.id, summary, reason: inState.reason };
  const { cidr, action } = state;
  return {
    type: 'IpPolicyRule',
    id: rule.id,
    wantedName: nameFromText(rule.description ?? '') ?? nameFromCidr(action, cidr),
    parentId: state.ipPolicyId,
    summary,
    liveIds: [rule.id],
    args: {
      ipPolicyId: new Reference(POLICY_CONSTANT),
      cidr,
      action,
      ...detailsOf(rule),
    },
    ...inState,
  };
}
