export {
  getHttpsEdgeRouteUserAgentFilterModule,
  getHttpsEdgeRouteUserAgentFilterModuleOutput,
  getIpPolicyRule,
  getIpPolicyRuleOutput,
  getTcpEdgeTrafficPolicyModule,
  getTcpEdgeTrafficPolicyModuleOutput,
  type IpPolicyRuleResult,
  listIpPolicyRules,
  type ListIpPolicyRulesArgs,
  listIpPolicyRulesOutput,
  type LookUpOptions,
  type OutputArgs,
} from './functions';
export {
  AccessAssertions,
  type AccessAssertionsArgs,
  type PolicyAssertions,
  type TrafficPolicyAssertions,
  type UserAgentAssertions,
} from './resources/access-assertions';
export {
  HttpsEdgeRouteUserAgentFilterModule,
  type HttpsEdgeRouteUserAgentFilterModuleArgs,
} from './resources/https-edge-route-user-agent-filter-module';
export { IpPolicyRule, type IpPolicyRuleArgs } from './resources/ip-policy-rule';
export {
  type IpPolicyRuleLines,
  IpPolicyRuleSet,
  type IpPolicyRuleSetArgs,
  type IpPolicyRuleSetRule,
} from './resources/ip-policy-rule-set';
export { Provider, type ProviderArgs } from './resources/provider';
export type {
  IpPolicyRuleSetList,
  IpPolicyRuleSetListedRuleArgs,
  IpPolicyRuleSetMap,
  IpPolicyRuleSetRuleArgs,
  IpPolicyRuleSetRules,
} from './resources/rule-set-args';
export {
  TcpEdgeTrafficPolicyModule,
  type TcpEdgeTrafficPolicyModuleArgs,
} from './resources/tcp-edge-traffic-policy-module';
export type { TrafficPolicy, TrafficPolicyAction, TrafficPolicyRule } from './values/policy-document';
