// The program of the README's pictures; `tools/picture/edited-site.mjs` edits it.
import {
  HttpsEdgeRouteUserAgentFilterModule,
  IpPolicyRuleSet,
  TcpEdgeTrafficPolicyModule,
} from 'pulumi-edge-policy';

const offices: Record<string, string> = {
  '62.140.136.0/24': 'Amsterdam',
  '77.109.161.128/26': 'Zürich',
  '81.174.149.32/27': 'Bristol',
  '84.14.214.96/28': 'Lyon',
  '91.238.64.0/24': 'Gdańsk',
  '103.76.228.0/24': 'Chennai',
  '121.200.31.64/26': 'Melbourne',
  '133.242.18.0/25': 'Osaka',
  '148.64.96.16/28': 'Austin',
  '177.85.200.0/24': 'São Paulo',
  '185.21.188.0/24': 'Nairobi',
  '196.46.186.0/24': 'Kampala',
  '208.77.20.128/25': 'Toronto',
};

new IpPolicyRuleSet('offices', {
  ipPolicyId: 'ipp_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa',
  rules: Object.entries(offices).map(([cidr, description]) => ({
    cidr,
    action: 'allow' as const,
    description,
  })),
});

new TcpEdgeTrafficPolicyModule('database', {
  edgeId: 'edgtcp_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa',
  value: {
    inbound: ['45.148.10.0/24', '80.94.95.0/24', '141.98.11.0/24', '193.32.162.0/24'].map((network) => ({
      name: `deny-scanner-${network}`,
      expressions: [`inCidrRange(conn.client_ip, '${network}')`],
      actions: [{ type: 'deny' }],
    })),
  },
});

new HttpsEdgeRouteUserAgentFilterModule('shop', {
  edgeId: 'edghts_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa',
  routeId: 'edghtsrt_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa',
  deny: ['(?i)sqlmap', '(?i)nikto'],
});
