// Reads what already exists without managing it: with functions for plain values, with `get` for a resource's outputs. By default
// it reads what the quickstart has created.
import * as pulumi from '@pulumi/pulumi';
import {
  getHttpsEdgeRouteUserAgentFilterModule,
  getIpPolicyRuleOutput,
  getTcpEdgeTrafficPolicyModule,
  IpPolicyRule,
  listIpPolicyRules,
} from 'pulumi-edge-policy';

const config = new pulumi.Config();
const ipPolicyId = config.get('ipPolicyId') ?? 'ipp_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa';

// pulumi.output turns the promise of a function into an output; the Output variants take outputs as arguments.
const denied = pulumi.output(listIpPolicyRules({ ipPolicyId, action: 'deny' }));
const allowed = pulumi.output(listIpPolicyRules({ ipPolicyId, action: 'allow' }));
const officeRuleId = config.get('officeRuleId') ?? allowed.apply(([first]) => first?.id ?? '');
const edge = pulumi.output(
  getTcpEdgeTrafficPolicyModule({
    edgeId: config.get('tcpEdgeId') ?? 'edgtcp_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa',
  }),
);
const route = pulumi.output(
  getHttpsEdgeRouteUserAgentFilterModule({
    edgeId: config.get('httpsEdgeId') ?? 'edghts_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa',
    routeId: config.get('routeId') ?? 'edghtsrt_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa',
  }),
);

// A rule that another stack manages: its outputs can be used, and destroying this stack leaves it alone.
const office = IpPolicyRule.get('office', officeRuleId);

export const deniedCidrs = denied.apply((rules) => rules.map(({ cidr }) => cidr));
export const officeSince = getIpPolicyRuleOutput({ id: officeRuleId }).createdAt;
export const isEdgePolicyEnabled = edge.enabled;
export const deniedUserAgents = route.deny;
export const officeCidr = office.cidr;
