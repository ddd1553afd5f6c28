// What the functions read, whoever asks: a program directly, or the engine on behalf of one.
import type { ApiClient } from '../api/client';
import { requireIdentifier, UserError } from '../errors/user-error';
import { type IpPolicyRuleState, ipPolicyRuleState } from '../rule/rule-state';
import { findModule, findRule } from '../settle/presence';
import { policyJson } from '../values/policy-text';
import {
  httpsEdgeRouteUserAgentFilterModuleEndpoint,
  type HttpsEdgeRouteUserAgentFilterModuleState,
  httpsEdgeRouteUserAgentFilterModuleState,
} from './https-edge-route-user-agent-filter-module';
import {
  tcpEdgeTrafficPolicyModuleEndpoint,
  type TcpEdgeTrafficPolicyModuleState,
  tcpEdgeTrafficPolicyModuleState,
} from './tcp-edge-traffic-policy-module';

/** A rule as the functions return it. */
export interface IpPolicyRuleResult extends Omit<IpPolicyRuleState, 'isUnsettled'> {
  /** The id of the rule, `ipr_…`. */
  readonly id: string;
}

/** Which rules to list; both conditions must hold. */
export interface RuleConditions {
  readonly ipPolicyId?: string;
  readonly action?: 'allow' | 'deny';
}

/** One rule. */
export async function lookUpRule(client: ApiClient, { id }: { id: string }): Promise<IpPolicyRuleResult> {
  requireIdentifier(id, 'ipPolicyRule');
  const rule = await findRule({ client, id, deadline: client.startOperation() });
  if (rule === undefined) throw new UserError(`There is no IP policy rule ${id}.`);
  return { id: rule.id, ...ipPolicyRuleState(rule) };
}

/** The rules of the account that meet the conditions, all pages. */
export async function lookUpRules(
  client: ApiClient,
  { ipPolicyId, action }: RuleConditions,
): Promise<IpPolicyRuleResult[]> {
  if (ipPolicyId !== undefined) requireIdentifier(ipPolicyId, 'ipPolicy');
  const found: IpPolicyRuleResult[] = [];
  for await (const page of client.listIpPolicyRules(client.startOperation())) {
    found.push(...page.rules.map((rule) => ({ id: rule.id, ...ipPolicyRuleState(rule) })));
  }
  return found.filter(
    (rule) =>
      (ipPolicyId === undefined || rule.ipPolicyId === ipPolicyId) &&
      (action === undefined || rule.action === action),
  );
}

/** The traffic policy module of a TCP edge, its policy in plain JSON: the lines are for previews. */
export async function lookUpTrafficPolicy(
  client: ApiClient,
  { edgeId }: { edgeId: string },
): Promise<TcpEdgeTrafficPolicyModuleState> {
  requireIdentifier(edgeId, 'tcpEdge');
  const endpoint = tcpEdgeTrafficPolicyModuleEndpoint(client, edgeId);
  const live = await findModule(client, endpoint, client.startOperation());
  if (live === undefined) throw new UserError(`TCP edge ${edgeId} has no traffic policy module.`);
  return { ...tcpEdgeTrafficPolicyModuleState(edgeId, live), value: policyJson(live.value) };
}

/** The user agent filter module of an HTTPS edge route. */
export async function lookUpUserAgentFilter(
  client: ApiClient,
  { edgeId, routeId }: { edgeId: string; routeId: string },
): Promise<HttpsEdgeRouteUserAgentFilterModuleState> {
  requireIdentifier(edgeId, 'httpsEdge');
  requireIdentifier(routeId, 'httpsEdgeRoute');
  const id = `${edgeId}/${routeId}`;
  const endpoint = httpsEdgeRouteUserAgentFilterModuleEndpoint(client, id);
  const live = await findModule(client, endpoint, client.startOperation());
  if (live === undefined) throw new UserError(`HTTPS edge route ${id} has no user agent filter module.`);
  return httpsEdgeRouteUserAgentFilterModuleState(id, live);
}
