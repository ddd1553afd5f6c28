export {
  getIpPolicyRule,
  type GetIpPolicyRuleArgs,
  getIpPolicyRuleOutput,
  type GetIpPolicyRuleResult,
  listIpPolicyRules,
  listIpPolicyRules as getIpPolicyRules,
  type ListIpPolicyRulesArgs,
  listIpPolicyRulesOutput,
  listIpPolicyRulesOutput as getIpPolicyRulesOutput,
} from './program/looking-up';
export type { LookUpOptions, LookUpOutputOptions, OutputArgs } from './program/looking-up';
export {
  AccessAssertions,
  type AccessAssertionsArgs,
  type AssertedNetwork,
  type NetworkAssertions,
  type PolicyAssertions,
  type TrafficPolicyAssertions,
  type UserAgentAssertions,
} from './program/access-assertions';
export { type FeedRule, feedRules, type FeedRulesArgs } from './program/rules-from';
export { type ListRule, rulesFrom, type RulesFromArgs } from './program/rules-from';
export * from './program/https-edge-route-user-agent-filter-module';
export { IpPolicyRule, type IpPolicyRuleArgs } from './program/ip-policy-rule';
export { IpPolicyRuleSet, type IpPolicyRuleSetArgs } from './program/ip-policy-rule-set';
export type { SetRule as IpPolicyRuleSetRule } from './rule/rule';
export { Provider, type ProviderArgs } from './program/provider';
export type {
  IpPolicyRuleSetList,
  IpPolicyRuleSetListedRuleArgs,
  IpPolicyRuleSetMap,
  IpPolicyRuleSetRuleArgs,
  IpPolicyRuleSetRules,
} from './program/rule-set-args';
export * from './program/tcp-edge-traffic-policy-module';
export { Action } from './values/action';
export type { TrafficPolicy, TrafficPolicyAction, TrafficPolicyRule } from './values/policy-document';
