import type { Endpoint } from './endpoint';
import { httpsEdgeRouteUserAgentFilterModuleEndpoints } from './routes/https-edge-route-user-agent-filter-module';
import { ipPolicyRuleEndpoints } from './routes/ip-policy-rules';
import { tcpEdgeTrafficPolicyModuleEndpoints } from './routes/tcp-edge-traffic-policy-module';

/** The 11 operations of the document. */
export const endpoints: readonly Endpoint[] = [
  ...ipPolicyRuleEndpoints,
  ...tcpEdgeTrafficPolicyModuleEndpoints,
  ...httpsEdgeRouteUserAgentFilterModuleEndpoints,
];
