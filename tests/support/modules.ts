import type { ApiClient } from '../../provider/src/api/client';
import { httpsEdgeRouteUserAgentFilterModule } from '../../provider/src/resources/https-edge-route-user-agent-filter-module';
import { moduleAt } from '../../provider/src/resources/module-kind';
import { tcpEdgeTrafficPolicyModule } from '../../provider/src/resources/tcp-edge-traffic-policy-module';

/** The requests about the traffic policy module of an edge. */
export const trafficPolicyOf = (client: ApiClient, edgeId = 'edgtcp_1') =>
  moduleAt(tcpEdgeTrafficPolicyModule, client, edgeId);

/** The requests about the user agent filter module of a route, `edge/route`. */
export const userAgentFilterOf = (client: ApiClient, id: string) =>
  moduleAt(httpsEdgeRouteUserAgentFilterModule, client, id);
