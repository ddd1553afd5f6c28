import { tokenOf } from '../../../provider/src/resources/provider-reference';
import { httpsEdgeId, otherPolicyId, policyId, routeId, tcpEdgeId } from '../../support/ids';
import { literal } from '../../support/programs';
import type { Program } from '../../support/stack-options';
import { testedHost } from '../../support/tested-host';

/** The statements of a program by the name of the resource that each declares; undefined leaves one out. */
export type Statements = Readonly<Record<string, string | undefined>>;

export const rule = (name: string, cidr: string, action = 'allow'): string =>
  `new IpPolicyRule(${literal(name)}, ${literal({ ipPolicyId: policyId, cidr, action })});`;

export const urnOfRule = (name: string): string =>
  `urn:pulumi:dev::harness::${tokenOf('IpPolicyRule', testedHost)}::${name}`;

export const siteSet = (allow: readonly string[], deny: readonly string[] = []): string => {
  const rules = [
    ...allow.map((cidr) => ({ cidr, action: 'allow' })),
    ...deny.map((cidr) => ({ cidr, action: 'deny' })),
  ];
  return `new IpPolicyRuleSet('site', ${literal({ ipPolicyId: otherPolicyId, rules })});`;
};

export const trafficRule = (name: string, expression: string, action = 'deny') => ({
  name,
  expressions: expression === '' ? [] : [expression],
  actions: [{ type: action }],
});

export const database = (inbound: readonly object[]): string =>
  `new TcpEdgeTrafficPolicyModule('database', ${literal({ edgeId: tcpEdgeId, value: { inbound } })});`;

export const bots = (args: object): string =>
  `new HttpsEdgeRouteUserAgentFilterModule('bots', ${literal({ edgeId: httpsEdgeId, routeId, ...args })});`;

export const scannersRule = trafficRule('no-scanners', "conn.client_ip == '45.33.32.156'");
const officeOnlyRule = trafficRule('office-only', "!conn.client_ip.startsWith('8.8.8.')");
const logRule = trafficRule('log', '', 'log');

/** What is in place before every change that is reviewed. */
const office: Statements = {
  headquarters: rule('headquarters', '8.8.8.0/24'),
  branch: rule('branch', '9.9.9.0/24'),
  guests: rule('guests', '8.8.8.128/25', 'deny'),
  tunnel: rule('tunnel', '2620:fe::/48'),
  site: siteSet(['1.0.0.0/24', '1.1.1.0/24', '2606:4700::/32']),
  database: database([scannersRule, officeOnlyRule, logRule]),
  bots: bots({ allow: ['^kube-probe/'], deny: ['(?i)curl', 'python-requests'] }),
};

/** The program of these statements, one a line, so that reports name different lines. */
export const officeProgram = (changes: Statements = {}): Program => ({
  js: [
    "const pulumi = require('@pulumi/pulumi');",
    'const {',
    '  AccessAssertions, HttpsEdgeRouteUserAgentFilterModule, IpPolicyRule, IpPolicyRuleSet, TcpEdgeTrafficPolicyModule,',
    "} = require('pulumi-edge-policy');",
    ...Object.values({ ...office, ...changes }).filter((statement) => statement !== undefined),
    '',
  ].join('\n'),
});
