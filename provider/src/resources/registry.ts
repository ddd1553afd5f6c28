import type { AnyLifecycle } from '../lifecycle/lifecycle';
import type { Tools } from '../settle/tools';
import { httpsEdgeRouteUserAgentFilterModuleLifecycle } from './https-edge-route-user-agent-filter-module';
import { ipPolicyRuleLifecycle } from './ip-policy-rule';
import type { ResourceType } from './provider-reference';
import { tcpEdgeTrafficPolicyModuleLifecycle } from './tcp-edge-traffic-policy-module';

/** Every resource's lifecycle; a new resource adds one line. */
export const lifecycles: { readonly [Type in ResourceType]: (tools: () => Tools) => AnyLifecycle } = {
  IpPolicyRule: ipPolicyRuleLifecycle,
  TcpEdgeTrafficPolicyModule: tcpEdgeTrafficPolicyModuleLifecycle,
  HttpsEdgeRouteUserAgentFilterModule: httpsEdgeRouteUserAgentFilterModuleLifecycle,
};
