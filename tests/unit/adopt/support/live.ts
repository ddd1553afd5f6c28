import type { LiveObjects } from '../../../../cli/src/adopt/adoption';
import type { AlreadyThere } from '../../../../cli/src/adopt/plan-adoption';
import { decodeIpPolicyRule } from '../../../../provider/src/api/decode';
import { liveKey } from '../../../../provider/src/resources/provider-reference';
import type { ServiceRule } from '../../../../provider/src/rule/rule';
import type { RuleAction } from '../../../../provider/src/values/action';
import { httpsEdgeId, policyId, routeId, tcpEdgeId } from '../../../support/ids';

let count = 0;

/** A rule as the service answers it; what is left out is as usual. */
export const liveRule = (
  cidr: string,
  more: Partial<Record<'description' | 'metadata' | 'policyId' | 'createdAt', string>> & {
    readonly action?: RuleAction;
  } = {},
): ServiceRule => {
  const id = `ipr_${(count += 1)}`;
  const { policyId: policy = policyId, createdAt = '2030-01-01T00:00:00Z', ...given } = more;
  return decodeIpPolicyRule({
    ...{ id, uri: `https://api.example.com/ip_policy_rules/${id}`, created_at: createdAt },
    ...{ cidr, action: 'allow', ...given },
    ip_policy: { id: policy, uri: `https://api.example.com/ip_policies/${policy}` },
  });
};

export const nothingThere: AlreadyThere = { managedIds: new Set(), elsewhere: new Map(), names: new Set() };

export const withRules = (rules: readonly ServiceRule[]): LiveObjects => ({ rules, modules: new Map() });

/** A module for each of two kinds, as it was read. */
export const withModules = (
  policy: { readonly enabled: boolean; readonly value: string },
  filter: { readonly enabled: boolean; readonly allow: readonly string[]; readonly deny: readonly string[] },
): LiveObjects => ({
  rules: [],
  modules: new Map([
    [
      liveKey('TcpEdgeTrafficPolicyModule', tcpEdgeId),
      { type: 'TcpEdgeTrafficPolicyModule', live: { edgeId: tcpEdgeId, ...policy } },
    ],
    [
      liveKey('HttpsEdgeRouteUserAgentFilterModule', `${httpsEdgeId}/${routeId}`),
      { type: 'HttpsEdgeRouteUserAgentFilterModule', live: { edgeId: httpsEdgeId, routeId, ...filter } },
    ],
  ]),
});
