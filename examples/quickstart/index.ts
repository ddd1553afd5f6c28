// One of each resource: who may connect, what a TCP edge lets through, and which user agents a route refuses.
import * as pulumi from '@pulumi/pulumi';
import {
  HttpsEdgeRouteUserAgentFilterModule,
  IpPolicyRule,
  TcpEdgeTrafficPolicyModule,
} from 'pulumi-edge-policy';

const config = new pulumi.Config('quickstart');
const officeCidr = config.get('officeCidr') ?? '203.0.113.0/24';
const ipPolicyId = config.get('ipPolicyId') ?? 'ipp_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa';

const office = new IpPolicyRule('allow-office', {
  ipPolicyId,
  action: 'allow',
  cidr: officeCidr,
  description: 'Office network',
});

const edge = new TcpEdgeTrafficPolicyModule('database-edge', {
  edgeId: config.get('tcpEdgeId') ?? 'edgtcp_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa',
  value: {
    inbound: [
      {
        name: 'deny-scanner',
        expressions: ["conn.client_ip == '192.0.2.66'"],
        actions: [{ type: 'deny' }],
      },
    ],
  },
});

const route = new HttpsEdgeRouteUserAgentFilterModule('public-site', {
  edgeId: config.get('httpsEdgeId') ?? 'edghts_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa',
  routeId: config.get('routeId') ?? 'edghtsrt_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa',
  deny: ['(?i)sqlmap', '(?i)nikto'],
});

export const officeRuleId = office.id;
export const officeRuleCidr = office.cidr;
export const tcpEdgePolicy = edge.value;
export const deniedUserAgents = route.deny;
