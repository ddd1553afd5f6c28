// One of each resource, in three editions. All of it carries the mark of the run, and is about addresses and clients that do not exist.
import {
  HttpsEdgeRouteUserAgentFilterModule,
  IpPolicyRule,
  IpPolicyRuleSet,
  TcpEdgeTrafficPolicyModule,
} from 'pulumi-edge-policy';

const { policyId, edgeId, route, mark, edition } = JSON.parse(process.env['ACCEPTANCE'] ?? '{}') as Record<
  'policyId' | 'edgeId' | 'route' | 'mark',
  string
> & { edition: number };
const [httpsEdgeId = '', routeId = ''] = route.split('/');
const common = { ipPolicyId: policyId, metadata: mark };

new IpPolicyRule('rule', {
  ...common,
  cidr: '203.0.113.0/24',
  action: edition < 3 ? 'deny' : 'allow',
  description: `edition ${Math.min(edition, 2)}`,
});

new IpPolicyRuleSet('set', {
  ipPolicyId: policyId,
  rules: ['198.51.100.0/25', '2001:db8:100::/48', `198.51.100.${edition < 2 ? 128 : 192}/26`].map((cidr) => ({
    cidr,
    action: 'deny' as const,
    metadata: mark,
  })),
});

new TcpEdgeTrafficPolicyModule('policy', {
  edgeId,
  enabled: edition < 2,
  value: {
    inbound: [{ name: mark, expressions: ["conn.client_ip == '192.0.2.1'"], actions: [{ type: 'deny' }] }],
  },
});

new HttpsEdgeRouteUserAgentFilterModule('filter', {
  edgeId: httpsEdgeId,
  routeId,
  deny: [`^${mark}$`, ...(edition < 2 ? [] : [`^${mark}-2$`])],
});
