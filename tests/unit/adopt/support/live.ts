import type { AlreadyThere, LiveObjects } from '../../../../provider/src/adopt/plan';
import type { IpPolicyRuleWire, RuleAction } from '../../../../provider/src/api/wire';
import { policyId } from '../../../support/ids';

let count = 0;

/** A rule as the service answers it; what is left out is as usual. */
export const liveRule = (
  cidr: string,
  more: {
    action?: RuleAction;
    description?: string;
    metadata?: string;
    policyId?: string;
    createdAt?: string;
  } = {},
): IpPolicyRuleWire => {
  const id = `ipr_${(count += 1)}`;
  const policy = more.policyId ?? policyId;
  return {
    id,
    uri: `https://api.example.com/ip_policy_rules/${id}`,
    created_at: more.createdAt ?? '2030-01-01T00:00:00Z',
    cidr,
    action: more.action ?? 'allow',
    ip_policy: { id: policy, uri: `https://api.example.com/ip_policies/${policy}` },
    ...(more.description !== undefined && { description: more.description }),
    ...(more.metadata !== undefined && { metadata: more.metadata }),
  };
};

export const nothingThere: AlreadyThere = { managedIds: new Set(), names: new Set(), written: [] };

export const withRules = (rules: readonly IpPolicyRuleWire[]): LiveObjects => ({
  rules,
  trafficPolicies: new Map(),
  userAgentFilters: new Map(),
});
