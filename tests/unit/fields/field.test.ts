import { changedFields, diffFields } from '../../../provider/src/fields/field';
import { UNKNOWN } from '../../../provider/src/values/unknowns';
import { httpsEdgeRouteUserAgentFilterModuleFields } from '../../../provider/src/resources/https-edge-route-user-agent-filter-module';
import { ipPolicyRuleFields } from '../../../provider/src/rule/rule';
import { tcpEdgeTrafficPolicyModuleFields } from '../../../provider/src/resources/tcp-edge-traffic-policy-module';
import { httpsEdgeId, otherPolicyId, policyId, routeId, tcpEdgeId } from '../../support/ids';

const rule = { cidr: '10.0.0.0/8', action: 'deny', ipPolicyId: policyId, description: 'old' };
const outputs = { ...rule, uri: 'https://x/ip_policy_rules/ipr_1', createdAt: '2026-01-01T00:00:00Z' };
const same = { changes: false, replaces: [], deleteBeforeReplace: false };
const update = { changes: true, replaces: [], deleteBeforeReplace: false };
const replace = (name: string) => ({ changes: true, replaces: [name], deleteBeforeReplace: true });

test.each([
  ['nothing', {}, same],
  ['another network', { cidr: '10.0.0.0/9' }, update],
  ['another description', { description: 'new' }, update],
  ['a removed description', { description: undefined }, update],
  ['added metadata', { metadata: '{}' }, update],
  ['another action', { action: 'allow' }, replace('action')],
  ['another policy', { ipPolicyId: otherPolicyId }, replace('ipPolicyId')],
  ['an unknown network', { cidr: UNKNOWN }, update],
  ['an unknown policy', { ipPolicyId: UNKNOWN }, replace('ipPolicyId')],
])('a rule: %s', (_case, change, expected) => {
  expect(diffFields(ipPolicyRuleFields, outputs, { ...rule, ...change })).toEqual(expected);
});

test('both shapes and both directions are compared: at a refresh outputs come second', () => {
  expect(diffFields(ipPolicyRuleFields, rule, outputs)).toEqual(same);
  expect(diffFields(ipPolicyRuleFields, { ...outputs, description: 'theirs' }, rule)).toEqual(update);
  const { description: _cleared, ...without } = outputs;
  expect(diffFields(ipPolicyRuleFields, { ...without, description: '' }, without)).toEqual(same);
});

const trafficPolicy = { edgeId: tcpEdgeId, enabled: true, value: '{"inbound":[],"x":1}' };

test.each([
  ['the same policy in another spelling', { value: '{ "x": 1, "inbound": [] }' }, same],
  ['switched off', { enabled: false }, update],
])('a traffic policy module: %s', (_case, change, expected) => {
  expect(
    diffFields(tcpEdgeTrafficPolicyModuleFields, trafficPolicy, { ...trafficPolicy, ...change }),
  ).toEqual(expected);
});

test('a field that only steers the provider makes no difference to a live module', () => {
  const live = { ...trafficPolicy, overwriteExisting: true };
  expect(changedFields(tcpEdgeTrafficPolicyModuleFields, live, trafficPolicy)).toEqual([]);
  expect(changedFields(tcpEdgeTrafficPolicyModuleFields, live, { ...live, enabled: false })).toEqual([
    'enabled',
  ]);
});

const filter = { edgeId: httpsEdgeId, routeId, enabled: true, allow: [], deny: ['a', 'b'] };

test.each([
  ['another order', { deny: ['b', 'a'] }, same],
  ['a pattern twice', { deny: ['a', 'b', 'b'] }, update],
  ['another pattern', { allow: ['c'] }, update],
  ['an unknown pattern', { deny: ['a', UNKNOWN] }, update],
])('a user agent filter module: %s', (_case, change, expected) => {
  expect(diffFields(httpsEdgeRouteUserAgentFilterModuleFields, filter, { ...filter, ...change })).toEqual(
    expected,
  );
});
