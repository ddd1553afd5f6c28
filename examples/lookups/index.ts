// What exists already, read and not managed: with functions for plain values, with `get` for a resource's outputs.
import * as pulumi from '@pulumi/pulumi';
import {
  getHttpsEdgeRouteUserAgentFilterModule,
  getIpPolicyRuleOutput,
  getTcpEdgeTrafficPolicyModule,
  IpPolicyRule,
  listIpPolicyRules,
} from 'pulumi-edge-policy';

const config = new pulumi.Config();
const ipPolicyId = config.require('ipPolicyId');

// pulumi.output turns the promise of a function into an output; the Output variants take outputs as arguments.
const denied = pulumi.output(listIpPolicyRules({ ipPolicyId, action: 'deny' }));
const firstDenied = getIpPolicyRuleOutput({ id: denied.apply((rules) => rules[0]?.id ?? '') });
const edge = pulumi.output(getTcpEdgeTrafficPolicyModule({ edgeId: config.require('tcpEdgeId') }));
const route = pulumi.output(
  getHttpsEdgeRouteUserAgentFilterModule({
    edgeId: config.require('httpsEdgeId'),
    routeId: config.require('routeId'),
  }),
);

// A rule that another stack manages: its outputs can be used, and destroying this stack leaves it alone.
const office = IpPolicyRule.get('office', config.require('officeRuleId'));

export const deniedCidrs = denied.apply((rules) => rules.map(({ cidr }) => cidr));
export const firstDeniedSince = firstDenied.createdAt;
export const isEdgePolicyEnabled = edge.enabled;
export const deniedUserAgents = route.deny;
export const officeCidr = office.cidr;
