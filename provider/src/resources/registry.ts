/* eslint-disable @typescript-eslint/no-require-imports -- an import would load every type for one */
import type { AnyLifecycle } from '../lifecycle/lifecycle';
import type { Tools } from '../settle/tools';
import type * as filterModule from './https-edge-route-user-agent-filter-module';
import type * as ruleModule from './ip-policy-rule';
import type * as ruleSetModule from './ip-policy-rule-set';
import type { ResourceType } from './provider-reference';
import type * as trafficPolicyModule from './tcp-edge-traffic-policy-module';

/**
 * Every resource's lifecycle, loaded when its type is first asked for: a plugin starts in half the time. A new resource adds
 * one entry.
 */
export const lifecycles: Readonly<Record<ResourceType, (tools: () => Tools) => AnyLifecycle>> = {
  IpPolicyRule: (tools) => {
    const { ipPolicyRuleLifecycle } = require('./ip-policy-rule') as typeof ruleModule;
    return ipPolicyRuleLifecycle(tools);
  },
  IpPolicyRuleSet: (tools) => {
    const { ipPolicyRuleSetLifecycle } = require('./ip-policy-rule-set') as typeof ruleSetModule;
    return ipPolicyRuleSetLifecycle(tools);
  },
  TcpEdgeTrafficPolicyModule: (tools) => {
    const { tcpEdgeTrafficPolicyModuleLifecycle } =
      require('./tcp-edge-traffic-policy-module') as typeof trafficPolicyModule;
    return tcpEdgeTrafficPolicyModuleLifecycle(tools);
  },
  HttpsEdgeRouteUserAgentFilterModule: (tools) => {
    const { httpsEdgeRouteUserAgentFilterModuleLifecycle } =
      require('./https-edge-route-user-agent-filter-module') as typeof filterModule;
    return httpsEdgeRouteUserAgentFilterModuleLifecycle(tools);
  },
};
