// Two lists that others maintain: networks that no visitor can come from, and user agents of crawlers.
import * as pulumi from '@pulumi/pulumi';
import crawlers from 'crawler-user-agents';
import {
  HttpsEdgeRouteUserAgentFilterModule,
  TcpEdgeTrafficPolicyModule,
  type TrafficPolicy,
} from 'pulumi-edge-policy';
import { specialPurposeNetworks } from './special-purpose-networks';

const config = new pulumi.Config();

// One rule per network, because all expressions of a rule must hold. The API document leaves the language of
// expressions open: write the condition as your service's reference describes it.
const policy: TrafficPolicy = {
  inbound: specialPurposeNetworks.map(({ cidr, purpose }) => ({
    name: `deny-${purpose}`,
    expressions: [`inCidrRange(conn.client_ip, '${cidr}')`],
    actions: [{ type: 'deny' }],
  })),
};

const bogons = new TcpEdgeTrafficPolicyModule('bogons', {
  edgeId: config.get('tcpEdgeId') ?? 'edgtcp_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa',
  value: policy,
});

const bots = new HttpsEdgeRouteUserAgentFilterModule('bots', {
  edgeId: config.get('httpsEdgeId') ?? 'edghts_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa',
  routeId: config.get('routeId') ?? 'edghtsrt_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa',
  deny: crawlers.filter(({ tags }) => tags?.includes('ai-crawler')).map(({ pattern }) => pattern),
});

export const deniedNetworks = specialPurposeNetworks.length;
export const deniedUserAgents = bots.deny.apply((patterns) => patterns.length);
export const moduleIds = [bogons.id, bots.id];
