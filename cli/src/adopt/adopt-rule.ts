import {
  detailsOf,
  ipPolicyRuleFields,
  ipPolicyRuleState,
  type LiveRule,
  type ServiceRule,
} from 'pulumi-edge-policy/internal/rule/rule';
import { type Adoptable, isAdoptable, type NotAdoptable, resourceInState } from './adoption';
import { nameFromCidr, nameFromText, shortId } from './names';
import { createHash } from 'node:crypto';
import { ipPolicyRuleSetFields } from 'pulumi-edge-policy/internal/resources/ip-policy-rule-set';
import { parseRules } from 'pulumi-edge-policy/internal/rule-set/rules-text';
import { ruleSetState } from 'pulumi-edge-policy/internal/rule-set/set-state';

/** The comment above the rules of a policy. */
const policyComment = (ipPolicyId: string): string => `IP policy ${ipPolicyId}`;

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

/** Turns the live rules of a policy into one set. Of two rules for one network, which some services allow, it holds the first. */
export function adoptRuleSet(
  ipPolicyId: string,
  rules: readonly ServiceRule[],
): (Adoptable | NotAdoptable)[] {
  const inSet = new Map<string, LiveRule>();
  const beside: (Adoptable | NotAdoptable)[] = [];
  for (const rule of rules) {
    const alone = adoptRule(rule);
    if (isAdoptable(alone) && !inSet.has(rule.cidr)) inSet.set(rule.cidr, rule);
    else beside.push(alone);
  }
  const held = [...inSet.values()];
  return held.length === 0 ? beside : [setOf(ipPolicyId, held), ...beside];
}

function setOf(ipPolicyId: string, rules: readonly LiveRule[]): Adoptable | NotAdoptable {
  const state = ruleSetState({ ipPolicyId, exclusive: false }, rules);
  const id = setId(ipPolicyId, state.ruleIdList);
  const summary = `${rules.length} rules of ${ipPolicyId}`;
  const inState = resourceInState(ipPolicyRuleSetFields, state);
  if ('reason' in inState) return { id, summary, reason: inState.reason };
  return {
    type: 'IpPolicyRuleSet',
    id,
    wantedName: `ip-policy-${shortId(ipPolicyId)}`,
    comment: policyComment(ipPolicyId),
    summary,
    liveIds: rules.map((rule) => rule.id),
    args: {
      ipPolicyId,
      rules: Object.fromEntries(parseRules(state.rules).map(({ cidr, ...rest }) => [cidr, rest])),
    },
    ...inState,
  };
}

/** Several sets may share a policy, so this one gets an id of its own, as a created set does; the id is the same at each run. */
const setId = (ipPolicyId: string, ruleIdList: string): string =>
  `${ipPolicyId}/${createHash('sha256').update(ruleIdList).digest('hex').slice(0, 12)}`;
