import type { AnyLifecycle } from '../lifecycle/lifecycle';
import type { Tools } from '../settle/tools';
import { httpsEdgeRouteUserAgentFilterModuleLifecycle } from './https-edge-route-user-agent-filter-module';
import { ipPolicyRuleLifecycle } from './ip-policy-rule';
import { ipPolicyRuleSetLifecycle } from './ip-policy-rule-set';
import type { ResourceType } from './provider-reference';
import { tcpEdgeTrafficPolicyModuleLifecycle } from './tcp-edge-traffic-policy-module';

/** Every resource's lifecycle; a new resource adds one line. */
export const lifecycles: Readonly<Record<ResourceType, (tools: () => Tools) => AnyLifecycle>> = {
  IpPolicyRule: ipPolicyRuleLifecycle,
  IpPolicyRuleSet: ipPolicyRuleSetLifecycle,
  TcpEdgeTrafficPolicyModule: tcpEdgeTrafficPolicyModuleLifecycle,
  HttpsEdgeRouteUserAgentFilterModule: httpsEdgeRouteUserAgentFilterModuleLifecycle,
};
