// Changes that take more than one resource, or an operation of their own.
import {
  agents,
  assertionsOf,
  denyIf,
  edgeInputs,
  filterInputs,
  kept,
  type MadeResource,
  policyRule,
  rule,
  ruleSet,
  SECRET,
  setInputs,
  tcp,
  UNKNOWN,
  within,
} from '../preview-builder';
import type { Scenarios } from './scenario';

const UNDER_ANOTHER_PARENT =
  'urn:pulumi:dev::acme::my:index:Site$pulumi-nodejs:dynamic/edge-policy:TcpEdgeTrafficPolicyModule::edge';
const RETAINED = { retainOnDelete: true };

const SITE = rule('8.8.8.0/24');
const BRANCH = rule('9.9.9.0/24');
const office = kept('office', SITE);

const deny = (cidr: string) => ({ ...denyIf(within(cidr)), name: cidr });
const A = edgeInputs(deny('9.9.9.0/24'));
const B = edgeInputs(deny('9.9.8.0/24'));
const HIDDEN_EDGE = { ...A, edgeId: SECRET };
const filter = (...denied: readonly string[]) => filterInputs(denied);
const CURL = filter('curl');
const onRoute = (routeId: string, inputs = CURL) => ({ ...inputs, routeId });
const lines = (...rules: readonly string[]) => setInputs(rules);
const SITE_LINE = '8.8.8.0/24: allow';
const demands = (requirements: Readonly<Record<string, readonly string[]>>) => ({
  policies: [{ ipPolicyId: 'ipp_1', ...requirements }],
});

export const mixed: Scenarios<readonly MadeResource[]> = {
  same: {
    'a module gets another name: who declares it says nothing': [
      tcp('a', { before: A }),
      tcp('b', { after: A }),
    ],
    'a policy in the lines of the engine: the same document': [
      tcp('a', {
        before: A,
        after: { ...A, value: `@policy\n${JSON.stringify(JSON.parse(A.value), undefined, 2)}\n` },
      }),
    ],
    'assertions get another name: they ask for as much': [
      office,
      assertionsOf('d', { before: demands({ mustDeny: ['9.9.9.0/24'] }) }),
      assertionsOf('e', { after: demands({ mustDeny: ['9.9.9.0/24'] }) }),
    ],
  },
  'same medium': {
    'a retained allow leaves the stack: it still lets people in': [
      office,
      policyRule('branch', { before: BRANCH, state: RETAINED }),
    ],
    'a retained rule gets another name: the old one stays on the service': [
      policyRule('a', { before: SITE, state: RETAINED }),
      policyRule('b', { after: SITE }),
    ],
  },
  'same high': {
    'a module is declared once more, alike: deleting one takes both away': [
      tcp('a', { before: A, after: A }),
      tcp('b', { after: A }),
    ],
  },
  'gain medium': {
    'a switch that is not known yet: at most what it refused gets in': [
      tcp('a', { before: A, after: { ...A, enabled: UNKNOWN } }),
    ],
  },
  'gain high': {
    'a module is declared once more, empty: either may be in force': [
      tcp('a', { before: A, after: A }),
      tcp('b', { after: edgeInputs() }),
    ],
    'a filter of a secret route is deleted: some route is open': [agents('a', { before: onRoute(SECRET) })],
    'a traffic policy of a secret edge is deleted: some edge is open': [tcp('a', { before: HIDDEN_EDGE })],
    'of two traffic policies of one name and with secret edges, one goes: each has had an edge of its own': [
      tcp('edge', { before: HIDDEN_EDGE, after: HIDDEN_EDGE }),
      tcp('edge', {
        before: HIDDEN_EDGE,
        state: { urn: UNDER_ANOTHER_PARENT },
        more: { urn: UNDER_ANOTHER_PARENT },
      }),
    ],
    'the policy of a replaced deny is not known yet: it may be another one': [
      kept('all', rule('0.0.0.0/0')),
      policyRule('d', {
        op: 'replace',
        before: rule('9.0.0.0/8', 'deny'),
        after: rule('9.0.0.0/8', 'deny', UNKNOWN),
      }),
    ],
  },
  'loss medium': {
    'a retained filter moves to another route: the first route keeps it': [
      agents('a', { op: 'replace', before: CURL, after: onRoute('edghtsrt_2'), state: RETAINED }),
    ],
  },
  'both medium': {
    'a rule with an unknown network becomes a look-up: nobody sees any more whom it keeps out': [
      office,
      policyRule('left', {
        op: 'read',
        before: rule(UNKNOWN, 'deny'),
        after: rule(UNKNOWN, 'deny'),
        state: RETAINED,
        newState: { id: 'id-left', external: true },
      }),
    ],
    'two edges swap their policies: each gains and loses': [
      tcp('a', { before: A, after: B }),
      tcp('b', { before: { ...B, edgeId: 'edgtcp_2' }, after: { ...A, edgeId: 'edgtcp_2' } }),
    ],
    'a traffic policy of a secret edge stays beside a change: it may be of this edge, and either in force': [
      tcp('a', { before: A, after: edgeInputs(deny('9.9.9.0/25')) }),
      tcp('b', { before: { ...B, edgeId: SECRET }, after: { ...B, edgeId: SECRET } }),
    ],
    'the edge of a traffic policy is not known yet: it may be another one': [
      tcp('a', { op: 'replace', before: A, after: { ...A, edgeId: UNKNOWN } }),
    ],
    'the route of a filter is not known yet: it may be another one: who says curl may get in': [
      agents('a', { op: 'replace', before: CURL, after: onRoute(UNKNOWN) }),
    ],
    'a rule goes to another policy in three steps: so a preview shows a replacement': [
      kept('c', BRANCH),
      ...['create-replacement', 'replace'].map((op) =>
        policyRule('a', { op, before: SITE, after: rule('8.8.8.0/24', 'allow', 'ipp_2') }),
      ),
      policyRule('a', { op: 'delete-replaced', before: SITE, state: { delete: true } }),
    ],
  },
  'both high': {
    'a module moves to another edge: the first edge is open': [
      tcp('a', { before: A }),
      tcp('b', { after: { ...A, edgeId: 'edgtcp_2' } }),
    ],
  },
  'both critical': {
    'the only set of a policy goes to another one: nobody gets in by the first any more': [
      ruleSet('s', {
        op: 'replace',
        before: lines(SITE_LINE),
        after: { ...lines(SITE_LINE), ipPolicyId: 'ipp_2' },
      }),
    ],
  },
  undecided: {
    'a rule and a set of one name come, and their policies are not known yet: the deny may be of the policy of the allow, or of another':
      [
        policyRule('site', { after: rule('0.0.0.0/0', 'allow', UNKNOWN) }),
        ruleSet('site', { after: { ...lines('0.0.0.0/0: deny'), ipPolicyId: UNKNOWN } }),
      ],
    'a retained set whose rules are secret leaves the stack: nobody ends or sees its rules any more': [
      office,
      ruleSet('left', {
        before: { ipPolicyId: 'ipp_1', exclusive: false, rules: SECRET },
        state: RETAINED,
      }),
    ],
    'a retained filter with a secret pattern leaves the stack: nobody sees any more whom it refuses': [
      agents('left', { before: filter(SECRET), state: RETAINED }),
    ],
    'a filter with a secret switch: what it does is not known': [
      agents('a', { before: CURL, after: { ...CURL, enabled: SECRET } }),
    ],
    'a rule is replaced, and its policy is secret: it may have gone from any policy to any other': [
      office,
      policyRule('x', {
        op: 'replace',
        before: rule('9.9.9.0/24', 'allow', SECRET),
        after: rule('9.9.9.0/24', 'allow', SECRET),
      }),
    ],
  },
};
