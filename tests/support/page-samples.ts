// Stacks that the tests of the page show.
import { denyIf, within } from '../unit/review/inputs';
import { agents, policyRule, previewText, ruleSet, tcp } from '../unit/review/preview-builder';
import { resource } from './state-resource';
import { httpsEdgeId, otherPolicyId, policyId, routeId, tcpEdgeId } from './ids';

export const trafficPolicy = (...inbound: readonly object[]) => ({
  ...{ edgeId: tcpEdgeId, enabled: true, value: JSON.stringify({ inbound }) },
});
const scanners = { name: 'scanners', ...denyIf(within('192.0.2.0/24')) };
const countries = { name: 'countries', ...denyIf("conn.geo.country_code == 'XX'") };
export const filter = (...patterns: readonly string[]) => ({
  ...{ edgeId: httpsEdgeId, routeId, enabled: true, allow: [], deny: patterns },
});

const office = { ipPolicyId: policyId, cidr: '203.0.113.0/24', action: 'allow' };

/** A set with rules of every kind that the page filters by. */
const partners = `@rules
198.51.100.0/25: allow 'Acme' metadata '{"owner":"payments","ticket":"ACC-1"}' until 2999-12-31
198.51.100.64/28: allow 'Acme staging' metadata '{"owner":"payments"}'
198.51.100.128/25: allow 'feed cloudflare'
203.0.113.9/32: allow until 2020-01-31
2001:db8::/48: allow 'Globex'
`;

/** Two policies, an edge and a route. */
export const SITE = [
  resource('IpPolicyRule', 'office', { ...office, description: 'Office' }, 4),
  resource('IpPolicyRule', 'guests', { ipPolicyId: policyId, cidr: '203.0.113.64/26', action: 'deny' }, 9),
  resource('IpPolicyRuleSet', 'partners', { ipPolicyId: otherPolicyId, rules: partners }, 20),
  resource('TcpEdgeTrafficPolicyModule', 'database', trafficPolicy(scanners), 30),
  resource('HttpsEdgeRouteUserAgentFilterModule', 'crawlers', filter('(?i)bot', '^curl/'), 40),
];

/** A change that opens a policy, closes a network, and touches an edge and a route. */
export const CHANGE = previewText([
  policyRule('office', { before: office, after: office }),
  policyRule('demo', { after: { ipPolicyId: policyId, cidr: '0.0.0.0/0', action: 'allow' } }),
  ruleSet('partners', {
    before: { ipPolicyId: otherPolicyId, rules: partners },
    after: { ipPolicyId: otherPolicyId, rules: partners.replace(/198\.51\.100\.128.*\n/, '') },
  }),
  tcp('database', { before: trafficPolicy(scanners), after: trafficPolicy(scanners, countries) }),
  agents('crawlers', { before: filter('(?i)bot', '^curl/'), after: filter('(?i)bot') }),
]);
