import { ipPolicyRuleFields, ipPolicyRuleState } from 'pulumi-edge-policy/internal/rule/rule-state';
import { detailsOf, type ServiceRule } from 'pulumi-edge-policy/internal/rule/rule';
import { type Adoptable, type NotAdoptable, resourceInState } from './adoption';
import { nameFromCidr, nameFromText } from './names';

/** The comment above the rules of a policy. */
export const policyComment = (ipPolicyId: string): string => `IP policy ${ipPolicyId}`;

/** Turns a live rule into one resource. */
export function adoptRule(rule: ServiceRule): Adoptable | NotAdoptable {
  const state = ipPolicyRuleState(rule);
  const summary = `${rule.action} ${state.cidr}`;
  const inState = resourceInState(ipPolicyRuleFields, state);
  if ('reason' in inState) return { id: rule.id, summary, reason: inState.reason };
  const { ipPolicyId, cidr, action } = state;
  return {
    type: 'IpPolicyRule',
    id: rule.id,
    wantedName: nameFromText(rule.description ?? '') ?? nameFromCidr(action, cidr),
    comment: policyComment(ipPolicyId),
    summary,
    liveIds: [rule.id],
    args: { ipPolicyId, cidr, action, ...detailsOf(rule) },
    ...inState,
  };
}
