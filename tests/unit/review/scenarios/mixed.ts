import type { MadeResource } from '../preview-builder';
import { rule } from '../preview-builder';
import type { Verdict } from './scenario';

/** Changes that take more than one resource, or an operation of their own. */
export type MixedScenario = readonly [
  name: string,
  why: string,
  change: readonly MadeResource[],
  verdict: Verdict,
];

const UNKNOWN = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';
const UNDER_ANOTHER_PARENT =
  'urn:pulumi:dev::acme::my:index:Site$pulumi-nodejs:dynamic/edge-policy:TcpEdgeTrafficPolicyModule::edge';
const SITE = rule('8.8.8.0/24');
const BRANCH = rule('9.9.9.0/24');
const BLOCK = rule('8.8.8.1/32', 'deny');
const kept = (name: string, inputs: Readonly<Record<string, unknown>>): MadeResource => ({
  type: 'IpPolicyRule',
  name,
  before: inputs,
  after: inputs,
});
const office = kept('office', SITE);
const old = (name: string, inputs: Readonly<Record<string, unknown>>, state = {}): MadeResource => ({
  type: 'IpPolicyRule',
  name,
  before: inputs,
  state,
});

/** It leaves the program, and stays on the service. */
const retained = (type: MadeResource['type'], before: Readonly<Record<string, unknown>>): MadeResource => ({
  type,
  name: 'left',
  before,
  state: { retainOnDelete: true },
});

const deny = (cidr: string) => ({
  name: cidr,
  expressions: [`inCidrRange(conn.client_ip, '${cidr}')`],
  actions: [{ type: 'deny' }],
});
const policy = (...inbound: readonly object[]) => ({
  edgeId: 'edgtcp_1',
  enabled: true,
  value: JSON.stringify({ inbound }),
});
const A = policy(deny('9.9.9.0/24'));
const tcp = (
  name: string,
  before?: Readonly<Record<string, unknown>>,
  after?: Readonly<Record<string, unknown>>,
): MadeResource => ({
  type: 'TcpEdgeTrafficPolicyModule',
  name,
  ...(before && { before }),
  ...(after && { after }),
});
const filter = (...denied: readonly string[]) => ({
  edgeId: 'edghts_1',
  routeId: 'edghtsrt_1',
  enabled: true,
  allow: [],
  deny: denied,
});
const agents = (
  name: string,
  before?: Readonly<Record<string, unknown>>,
  after?: Readonly<Record<string, unknown>>,
): MadeResource => ({
  type: 'HttpsEdgeRouteUserAgentFilterModule',
  name,
  ...(before && { before }),
  ...(after && { after }),
});

const lines = (...rules: readonly string[]) => ({
  ipPolicyId: 'ipp_1',
  exclusive: false,
  rules: ['@rules', ...rules, ''].join('\n'),
});
const set = (
  name: string,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  op?: string,
): MadeResource => ({ type: 'IpPolicyRuleSet', name, before, after, ...(op !== undefined && { op }) });

const demands = (
  name: string,
  before?: Readonly<Record<string, readonly string[]>>,
  after?: Readonly<Record<string, readonly string[]>>,
): MadeResource => ({
  type: 'AccessAssertions',
  name,
  ...(before && { before: { policies: [{ ipPolicyId: 'ipp_1', ...before }] } }),
  ...(after && { after: { policies: [{ ipPolicyId: 'ipp_1', ...after }] } }),
});

export const mixed: readonly MixedScenario[] = [
  [
    'a retained allow leaves the stack',
    'it still lets people in',
    [office, old('branch', BRANCH, { retainOnDelete: true })],
    'same medium',
  ],
  [
    'a retained deny leaves the stack',
    'it still keeps people out',
    [office, old('block', BLOCK, { retainOnDelete: true })],
    'same medium',
  ],
  [
    'a retained allow is replaced',
    'both let people in',
    [
      office,
      {
        type: 'IpPolicyRule',
        name: 'branch',
        op: 'replace',
        before: BRANCH,
        after: rule('9.9.8.0/24'),
        state: { retainOnDelete: true },
      },
    ],
    'gain medium',
  ],
  [
    'a retained deny is replaced',
    'both keep people out',
    [
      office,
      {
        type: 'IpPolicyRule',
        name: 'block',
        op: 'replace',
        before: BLOCK,
        after: rule('8.8.8.2/32', 'deny'),
        state: { retainOnDelete: true },
      },
    ],
    'loss medium',
  ],
  [
    'a retained set whose rules are secret leaves the stack',
    'nobody ends or sees its rules any more',
    [office, retained('IpPolicyRuleSet', { ipPolicyId: 'ipp_1', exclusive: false, rules: '[secret]' })],
    'undecided',
  ],
  [
    'a retained rule with a secret network leaves the stack',
    'nobody sees any more whom it lets in',
    [office, retained('IpPolicyRule', rule('[secret]'))],
    'undecided',
  ],
  [
    'a rule with an unknown network becomes a look-up',
    'nobody sees any more whom it keeps out',
    [
      office,
      {
        ...retained('IpPolicyRule', rule(UNKNOWN, 'deny')),
        ...{ op: 'read', newState: { id: 'id-left', external: true }, after: rule(UNKNOWN, 'deny') },
      },
    ],
    'both medium',
  ],
  [
    'a retained filter with a secret pattern leaves the stack',
    'nobody sees any more whom it refuses',
    [
      retained('HttpsEdgeRouteUserAgentFilterModule', {
        ...{ edgeId: 'e', routeId: 'r', enabled: true, allow: [], deny: ['[secret]'] },
      }),
    ],
    'undecided',
  ],
  [
    'a retained traffic policy that is secret leaves the stack',
    'nobody sees any more whom it refuses',
    [retained('TcpEdgeTrafficPolicyModule', { edgeId: 'edgtcp_1', enabled: true, value: '[secret]' })],
    'undecided',
  ],
  [
    'the retained rest of an interrupted replacement goes',
    'it stays on the service',
    [office, { ...old('branch', BRANCH, { retainOnDelete: true, delete: true }), op: 'delete-replaced' }],
    'same medium',
  ],
  [
    'the rest of an interrupted replacement goes',
    'it let people in until now',
    [office, { ...old('branch', BRANCH, { delete: true }), op: 'delete-replaced' }],
    'loss low',
  ],
  [
    'a rule that is gone already leaves the state',
    'it let nobody in any more',
    [office, { ...old('branch', BRANCH), op: 'remove-pending-replace', state: { pendingReplacement: true } }],
    'same',
  ],
  [
    'a rule is imported',
    'it is there already',
    [office, { type: 'IpPolicyRule', name: 'branch', op: 'import', after: BRANCH }],
    'same',
  ],
  [
    'an update of nothing that counts',
    'a description says nothing about access',
    [office, { ...kept('branch', BRANCH), after: { ...BRANCH, description: 'v2' } }],
    'same',
  ],
  [
    'an update to other code',
    'it may do anything',
    [office, { ...kept('branch', BRANCH), after: { ...BRANCH, __provider: 'exports.handler=()=>({})' } }],
    'undecided',
  ],
  [
    'an allow is away while it is replaced',
    'some are shut out for a moment',
    [office, { ...kept('branch', BRANCH), op: 'replace', state: { pendingReplacement: true } }],
    'affects low',
  ],
  [
    'a deny is away while it is replaced',
    'some get in for a moment',
    [office, { ...kept('block', BLOCK), op: 'replace', state: { pendingReplacement: true } }],
    'affects medium',
  ],
  [
    'a module is declared once more, empty',
    'either may be in force',
    [tcp('a', A, A), tcp('b', undefined, policy())],
    'gain high',
  ],
  [
    'a module is declared once more, alike',
    'deleting one takes both away',
    [tcp('a', A, A), tcp('b', undefined, A)],
    'same high',
  ],
  [
    'a module gets another name',
    'who declares it says nothing',
    [tcp('a', A), tcp('b', undefined, A)],
    'same',
  ],
  [
    'a module moves to another edge',
    'the first edge is open',
    [tcp('a', A), tcp('b', undefined, { ...A, edgeId: 'edgtcp_2' })],
    'both high',
  ],
  [
    'two edges swap their policies',
    'each gains and loses',
    [
      tcp('a', A, policy(deny('9.9.8.0/24'))),
      tcp('b', { ...policy(deny('9.9.8.0/24')), edgeId: 'edgtcp_2' }, { ...A, edgeId: 'edgtcp_2' }),
    ],
    'both medium',
  ],
  [
    'a switch that is not known yet',
    'at most what it refused gets in',
    [tcp('a', A, { ...A, enabled: '04da6b54-80e4-46f7-96ec-b56ff0331ba9' })],
    'gain medium',
  ],
  [
    'a filter with a secret switch',
    'what it does is not known',
    [agents('a', filter('curl'), { ...filter('curl'), enabled: '[secret]' })],
    'undecided',
  ],
  [
    'a filter gets another name',
    'who declares it says nothing',
    [agents('a', filter('curl')), agents('b', undefined, filter('curl'))],
    'same',
  ],
  [
    'a filter is declared once more, empty',
    'either may be in force',
    [agents('a', filter('curl'), filter('curl')), agents('b', undefined, filter())],
    'gain high',
  ],
  [
    'a filter moves to another route',
    'the first route is open',
    [agents('a', filter('curl')), agents('b', undefined, { ...filter('curl'), routeId: 'edghtsrt_2' })],
    'both high',
  ],
  [
    'a note in a traffic policy',
    'a name refuses nobody',
    [tcp('a', A, policy({ ...deny('9.9.9.0/24'), name: 'the branch' }))],
    'same',
  ],
  [
    'a policy in the lines of the engine',
    'the same document',
    [tcp('a', A, { ...A, value: `@policy\n${JSON.stringify(JSON.parse(A.value), undefined, 2)}\n` })],
    'same',
  ],
  [
    'a rule is declared by two resources',
    'deleting one may delete both',
    [office, { type: 'IpPolicyRule', name: 'again', after: SITE }],
    'same medium',
  ],
  [
    'a filter of a secret route is deleted',
    'some route is open',
    [agents('a', { ...filter('curl'), routeId: '[secret]' })],
    'gain high',
  ],
  [
    'a traffic policy of a secret edge is deleted',
    'some edge is open',
    [tcp('a', { ...A, edgeId: '[secret]' })],
    'gain high',
  ],
  [
    'a traffic policy of a secret edge stays beside a change',
    'it may be of this edge, and either in force',
    [
      tcp('a', A, policy(deny('9.9.9.0/25'))),
      tcp(
        'b',
        { ...policy(deny('7.7.7.0/24')), edgeId: '[secret]' },
        { ...policy(deny('7.7.7.0/24')), edgeId: '[secret]' },
      ),
    ],
    'both medium',
  ],
  [
    'two sites swap their resources',
    'one of them is away for a moment',
    [
      { ...kept('a', SITE), after: BRANCH },
      { ...kept('b', BRANCH), after: SITE },
      kept('c', rule('7.7.7.0/24')),
    ],
    'affects low',
  ],
  [
    'two denies swap their resources',
    'one of them is away for a moment',
    [
      office,
      { ...kept('a', BLOCK), after: rule('8.8.8.2/32', 'deny') },
      { ...kept('b', rule('8.8.8.2/32', 'deny')), after: BLOCK },
    ],
    'affects medium',
  ],
  [
    'a rule and a set take turns',
    'one network has two rules for a moment',
    [
      { ...kept('a', SITE), after: BRANCH },
      {
        type: 'IpPolicyRuleSet',
        name: 's',
        before: { ipPolicyId: 'ipp_1', rules: '{"9.9.9.0/24":{"action":"allow"}}' },
        after: { ipPolicyId: 'ipp_1', rules: '{"8.8.8.0/24":{"action":"allow"}}' },
      },
    ],
    'affects low',
  ],
  [
    'a rule that goes leaves its network to a set',
    'the provider hands it over',
    [
      { type: 'IpPolicyRule', name: 'a', before: SITE },
      {
        type: 'IpPolicyRuleSet',
        name: 's',
        before: { ipPolicyId: 'ipp_1', rules: '{"9.9.9.0/24":{"action":"allow"}}' },
        after: {
          ipPolicyId: 'ipp_1',
          rules: '{"8.8.8.0/24":{"action":"allow"},"9.9.9.0/24":{"action":"allow"}}',
        },
      },
    ],
    'same',
  ],

  [
    'a description in a line',
    'nobody moves',
    [
      set(
        's',
        lines('8.8.8.0/24 allow "office"', '9.9.9.0/24 allow'),
        lines('8.8.8.0/24 allow "old office"', '9.9.9.0/24 allow'),
      ),
    ],
    'same',
  ],
  [
    'a line turns from allow to deny',
    'others stay',
    [set('s', lines('8.8.8.0/24 allow', '9.9.9.0/24 allow'), lines('8.8.8.0/24 allow', '9.9.9.0/24 deny'))],
    'loss low',
  ],
  [
    'one of two sets drops a line that both have',
    'the other one still has it',
    [
      set('a', lines('8.8.8.0/24 allow'), lines('8.8.8.0/24 allow')),
      set('b', lines('8.8.8.0/24 allow', '9.9.9.0/24 allow'), lines('9.9.9.0/24 allow')),
    ],
    'same',
  ],
  [
    'the only set of a policy goes to another one',
    'nobody gets in by the first any more',
    [set('s', lines('8.8.8.0/24 allow'), { ...lines('8.8.8.0/24 allow'), ipPolicyId: 'ipp_2' }, 'replace')],
    'both critical',
  ],
  [
    'the action of a line becomes unknown',
    'at most the site loses',
    [
      set(
        's',
        lines('8.8.8.0/24 allow', '9.9.9.0/24 allow'),
        lines('8.8.8.0/24 allow', '9.9.9.0/24 (unknown)'),
      ),
    ],
    'loss medium',
  ],

  [
    'a retained set leaves the stack',
    'its rules still let people in',
    [
      office,
      {
        type: 'IpPolicyRuleSet',
        name: 's',
        before: lines('9.9.9.0/24 allow'),
        state: { retainOnDelete: true },
      },
    ],
    'same medium',
  ],
  [
    'a retained traffic policy leaves the stack',
    'it still refuses',
    [{ ...tcp('a', A), state: { retainOnDelete: true } }],
    'same medium',
  ],
  [
    'a retained filter moves to another route',
    'the first route keeps it',
    [
      {
        ...agents('a', filter('curl'), { ...filter('curl'), routeId: 'edghtsrt_2' }),
        op: 'replace',
        state: { retainOnDelete: true },
      },
    ],
    'loss medium',
  ],
  [
    'a retained rule gets another name',
    'the old one stays on the service',
    [old('a', SITE, { retainOnDelete: true }), { type: 'IpPolicyRule', name: 'b', after: SITE }],
    'same medium',
  ],
  [
    'a traffic policy gets another name and refuses less',
    'the other half gets in',
    [tcp('a', A), tcp('b', undefined, policy(deny('9.9.9.0/25')))],
    'gain medium',
  ],
  [
    'two filters swap their routes',
    'each gains and loses',
    [
      { ...agents('a', filter('curl'), { ...filter('curl'), routeId: 'edghtsrt_2' }), op: 'replace' },
      { ...agents('b', { ...filter('Wget'), routeId: 'edghtsrt_2' }, filter('Wget')), op: 'replace' },
    ],
    'both medium',
  ],
  [
    'the edge of a traffic policy is not known yet',
    'it may be another one',
    [{ ...tcp('a', A, { ...A, edgeId: '04da6b54-80e4-46f7-96ec-b56ff0331ba9' }), op: 'replace' }],
    'both medium',
  ],
  [
    'a rule goes to another policy in three steps',
    'so a preview shows a replacement',
    [
      kept('c', BRANCH),
      {
        type: 'IpPolicyRule',
        name: 'a',
        op: 'create-replacement',
        before: SITE,
        after: rule('8.8.8.0/24', 'allow', 'ipp_2'),
      },
      {
        type: 'IpPolicyRule',
        name: 'a',
        op: 'replace',
        before: SITE,
        after: rule('8.8.8.0/24', 'allow', 'ipp_2'),
      },
      { ...old('a', SITE, { delete: true }), op: 'delete-replaced' },
    ],
    'both medium',
  ],
  [
    'the assertions of the program go',
    'nothing holds the next change',
    [office, demands('d', { mustDeny: ['9.9.9.0/24'] })],
    'same high',
  ],
  [
    'an assertion is divided among two',
    'guards count as they are written, and another person sees that they ask for as much',
    [
      office,
      demands('d', { mustDeny: ['9.9.9.0/24'] }, { mustDeny: ['9.9.9.0/25'] }),
      demands('e', undefined, { mustDeny: ['9.9.9.128/25'] }),
    ],
    'same high',
  ],
  [
    'assertions get another name',
    'they ask for as much',
    [
      office,
      demands('d', { mustDeny: ['9.9.9.0/24'] }),
      demands('e', undefined, { mustDeny: ['9.9.9.0/24'] }),
    ],
    'same',
  ],
  [
    'a ceiling is raised for a new site',
    'who watches the change changed with it',
    [
      office,
      { type: 'IpPolicyRule', name: 'branch', after: BRANCH },
      demands('d', { neverWiderThan: ['8.8.8.0/24'] }, { neverWiderThan: ['8.8.0.0/16', '9.9.9.0/24'] }),
    ],
    'gain high',
  ],
  [
    'the policy of a replaced deny is not known yet',
    'it may be another one',
    [
      kept('all', rule('0.0.0.0/0')),
      {
        type: 'IpPolicyRule',
        name: 'd',
        op: 'replace',
        before: rule('9.0.0.0/8', 'deny'),
        after: rule('9.0.0.0/8', 'deny', '04da6b54-80e4-46f7-96ec-b56ff0331ba9'),
      },
    ],
    'gain high',
  ],
  [
    'the route of a filter is not known yet',
    'it may be another one: who says curl may get in',
    [
      {
        ...agents('a', filter('curl'), {
          ...filter('curl'),
          routeId: '04da6b54-80e4-46f7-96ec-b56ff0331ba9',
        }),
        op: 'replace',
      },
    ],
    'both medium',
  ],
  [
    'a rule is replaced, and its policy is secret',
    'it may have gone from any policy to any other',
    [
      office,
      {
        type: 'IpPolicyRule',
        name: 'x',
        op: 'replace',
        before: rule('9.9.9.0/24', 'allow', '[secret]'),
        after: rule('9.9.9.0/24', 'allow', '[secret]'),
      },
    ],
    'undecided',
  ],
  [
    'a rule and a set of one name come, and their policies are not known yet',
    'they share a name and no policy: the deny of one keeps nobody out of the other',
    [
      { type: 'IpPolicyRule', name: 'site', after: rule('0.0.0.0/0', 'allow', UNKNOWN) },
      {
        ...{ type: 'IpPolicyRuleSet', name: 'site' },
        after: { ipPolicyId: UNKNOWN, rules: '@rules\n0.0.0.0/0 deny\n' },
      },
    ],
    'gain critical',
  ],
  [
    'of two traffic policies of one name and with secret edges, one goes',
    'each has had an edge of its own',
    [
      tcp('edge', { ...A, edgeId: '[secret]' }, { ...A, edgeId: '[secret]' }),
      {
        ...tcp('edge', { ...A, edgeId: '[secret]' }),
        ...{ state: { urn: UNDER_ANOTHER_PARENT }, more: { urn: UNDER_ANOTHER_PARENT } },
      },
    ],
    'gain high',
  ],
];
