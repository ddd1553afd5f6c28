// Changes that take several resources, or an operation of their own. Whom the steps of the engine let in and shut out, the oracle
// judges; these have a verdict of their own, or are of another type than rules.
import { agents, assertionsOf, kept, policyRule, ruleSet, tcp, type MadeResource } from '../preview-builder';
import { denyIf, edgeInputs, filterInputs, rule, SECRET, setInputs, UNKNOWN, within } from '../inputs';
import type { Scenarios } from './scenario';

const UNDER_ANOTHER_PARENT =
  'urn:pulumi:dev::acme::my:index:Site$pulumi-nodejs:dynamic/edge-policy:TcpEdgeTrafficPolicyModule::edge';
const RETAINED = { retainOnDelete: true };
const IMPORTED = { importID: 'live' };
const OVERWRITES = { overwriteExisting: true };

const SITE = rule('8.8.8.0/24');
const BRANCH = rule('9.9.9.0/24');
const BLOCK = rule('8.8.8.8/32', 'deny');
const office = kept('office', SITE);
const set = (...lines: string[]) => setInputs(lines);
const policy = (...expressions: readonly string[]) =>
  edgeInputs(...expressions.map((expression) => ({ ...denyIf(expression), name: 'rule' })));
const A = policy(within('9.9.9.0/24'));
const B = policy(within('9.9.8.0/24'));
const HIDDEN_EDGE = { ...A, edgeId: SECRET };
const filter = (...denied: readonly string[]) => filterInputs(denied);
const CURL = filter('curl');
const onRoute = (routeId: string) => ({ ...CURL, routeId });
const demands = (requirements: Readonly<Record<string, readonly string[]>>) => ({
  policies: [{ ipPolicyId: 'ipp_1', ...requirements }],
});
/** An import, and the update that follows it, which starts from what is live. */
const imported = (made: typeof tcp, live: object, wanted: object): MadeResource[] => [
  made('found', { op: 'import', after: { ...wanted }, newState: IMPORTED }),
  made('found', {
    op: 'update',
    before: { ...live },
    after: { ...wanted },
    state: { id: 'live', outputs: live },
    newState: IMPORTED,
  }),
];
/** After a native import, the state holds inputs as a program gives them, and not as check makes them. */
const justImported = (rules: readonly object[], ...lines: string[]): MadeResource[] => [
  ruleSet('set', { before: { ...set(), rules }, after: set(...lines) }),
];
const OFFICE = { cidr: '8.8.8.0/24', action: 'allow' };

/** What an earlier run could not delete: it shares its name with its successor. */
const pending = (before: NonNullable<MadeResource['before']>, state: object = {}): MadeResource =>
  policyRule('branch', { op: 'delete-replaced', before, state: { id: 'pending', delete: true, ...state } });

export const resources: Scenarios<readonly MadeResource[]> = {
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
    'a set was just imported: it is compared rule by rule': justImported(
      [
        { ...OFFICE, description: 'Office' },
        { cidr: '9.9.9.0/24', action: 'deny' },
      ],
      "8.8.8.0/24: allow 'Office'",
      '9.9.9.0/24: deny',
    ),
    'a traffic policy was just imported: it is compared by what it says': [
      tcp('edge', { before: { ...A, value: JSON.parse(A.value) as unknown }, after: A }),
    ],
    'assertions get another name: they ask for as much': [
      office,
      assertionsOf('d', { before: demands({ mustDeny: ['9.9.9.0/24'] }) }),
      assertionsOf('e', { after: demands({ mustDeny: ['9.9.9.0/24'] }) }),
    ],
    'lines of a set change places, and one gets a note: the same rules': [
      ruleSet('set', {
        before: set('8.8.8.0/24: allow', '9.9.9.0/24: allow'),
        after: set("9.9.9.0/24: allow 'Bern'", '8.8.8.0/24: allow'),
      }),
    ],
    'an unchanged secret is revealed: the engine says that it is the same': [
      office,
      policyRule('branch', { op: 'same', before: rule(SECRET), after: BRANCH }),
    ],
    'a rule may overwrite from now on: it is made already, and meets nothing': [
      office,
      policyRule('branch', { before: BRANCH, after: { ...BRANCH, ...OVERWRITES } }),
    ],
  },
  'same medium': {
    'a rule gets another name, and takes over: nobody has seen what it may replace': [
      policyRule('a', { before: SITE }),
      policyRule('b', { after: { ...SITE, ...OVERWRITES } }),
    ],
    'a retained rule gets another name: the old one stays on the service': [
      policyRule('a', { before: SITE, state: RETAINED }),
      policyRule('b', { after: SITE }),
    ],
    'a rule is replaced by one that takes over what it finds: the network of the new one may have a deny': [
      office,
      policyRule('branch', {
        op: 'replace',
        before: rule('8.8.8.1/32'),
        after: { ...rule('8.8.8.2/32'), ...OVERWRITES },
      }),
    ],
    'an allow within another one takes over what it finds: what it replaces may be a deny that nobody sees': [
      office,
      policyRule('branch', { after: { ...rule('8.8.8.8/32'), ...OVERWRITES } }),
    ],
    'a set that may overwrite gains an allow: the network may have a deny': [
      ruleSet('set', {
        before: { ...set('8.0.0.0/8: allow'), ...OVERWRITES },
        after: { ...set('8.0.0.0/8: allow', '8.8.8.8/32: allow'), ...OVERWRITES },
      }),
    ],
    'whether a rule may overwrite is not known: it may': [
      office,
      policyRule('branch', { after: { ...rule('8.8.8.8/32'), overwriteExisting: SECRET } }),
    ],
  },
  'same high': {
    'a module is declared once more, alike: deleting one takes both away': [
      tcp('a', { before: A, after: A }),
      tcp('b', { after: A }),
    ],
  },
  'gain medium': {
    'a set that was just imported grows: by what it did not have': justImported(
      [OFFICE],
      '8.8.0.0/16: allow',
    ),
    'a vendor stays for longer: a gain from then on': [
      ruleSet('set', {
        before: set('8.8.8.0/24: allow', '9.9.9.0/24: allow until 2026-07-01'),
        after: set('8.8.8.0/24: allow', '9.9.9.0/24: allow until 2026-08-01'),
      }),
    ],
    'a switch that is not known yet: at most what it refused gets in': [
      tcp('a', { before: A, after: { ...A, enabled: UNKNOWN } }),
    ],
    'a set is imported without a deny that is live: that deny goes': imported(
      ruleSet,
      set('8.0.0.0/8: allow', '8.8.8.8/32: deny'),
      set('8.0.0.0/8: allow'),
    ),
    'a deny goes beside its unchanged successor, which is secret: that the one stays says nothing of the other':
      [
        office,
        policyRule('branch', { op: 'same', before: rule(SECRET), after: rule(SECRET) }),
        pending(BLOCK),
      ],
    'a deny goes from below a rule that --target leaves out, and that a refresh found open: what is live lets in what the deny kept out':
      [
        {
          ...office,
          op: 'same',
          state: { outputs: rule('0.0.0.0/0') },
          newState: { outputs: rule('0.0.0.0/0') },
        },
        policyRule('branch', { before: rule('9.9.9.0/24', 'deny') }),
      ],
    'a refresh finds a deny gone: what it kept out gets in': [
      { ...office, op: 'refresh' },
      policyRule('branch', { op: 'refresh', before: BLOCK }),
    ],
    'a refresh finds an object gone that the program makes again: it is locked out until then': [
      office,
      policyRule('branch', { op: 'refresh', before: BRANCH }),
      policyRule('branch', { after: BRANCH }),
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
    'a traffic policy was just imported, and is emptied: its protection is lost': [
      tcp('edge', { before: { ...A, value: JSON.parse(A.value) as unknown }, after: policy() }),
    ],
    'a traffic policy is imported and emptied: its protection is lost': imported(
      tcp,
      policy(within('8.8.8.0/24')),
      policy(),
    ),
  },
  'gain critical': {
    'a refresh finds a rule open: somebody has opened it on the service': [
      policyRule('branch', {
        ...{ op: 'refresh', before: BRANCH, after: BRANCH },
        newState: { outputs: rule('0.0.0.0/0') },
      }),
    ],
  },
  'loss low': {
    'an import of which the preview shows one step: the new object names what it imports': [
      office,
      policyRule('branch', {
        op: 'replace',
        before: BRANCH,
        after: rule('9.9.9.0/25'),
        newState: IMPORTED,
      }),
    ],
    'a set that was applied in part is finished: the deny of its inputs was not there yet': [
      ruleSet('set', {
        op: 'update',
        before: set('8.0.0.0/8: allow', '8.8.8.8/32: deny'),
        after: set('8.0.0.0/8: allow', '8.8.8.8/32: deny'),
        state: { outputs: set('8.0.0.0/8: allow') },
      }),
    ],
    'a set that may overwrite loses an allow: no network of it is new': [
      ruleSet('set', {
        before: { ...set('8.0.0.0/8: allow', '9.9.9.9/32: allow'), ...OVERWRITES },
        after: { ...set('8.0.0.0/8: allow'), ...OVERWRITES },
      }),
    ],
  },
  'loss medium': {
    'a retained filter moves to another route: the first route keeps it': [
      agents('a', { op: 'replace', before: CURL, after: onRoute('edghtsrt_2'), state: RETAINED }),
    ],
    'a filter takes over what it finds: what it replaces may have kept others out': [
      agents('filter', { after: { ...filter('^Wget/'), ...OVERWRITES } }),
    ],
  },
  'both medium': {
    'the rules of an imported set cannot be read: nobody knows whom they let in': justImported(
      [{ cidr: 'office' }],
      '8.8.8.0/24: allow',
    ),
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
      tcp('a', { before: A, after: policy(within('9.9.9.0/25')) }),
      tcp('b', { before: { ...B, edgeId: SECRET }, after: { ...B, edgeId: SECRET } }),
    ],
    'the edge of a traffic policy is not known yet: it may be another one': [
      tcp('a', { op: 'replace', before: A, after: { ...A, edgeId: UNKNOWN } }),
    ],
    'the route of a filter is not known yet: it may be another one: who says curl may get in': [
      agents('a', { op: 'replace', before: CURL, after: onRoute(UNKNOWN) }),
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
        before: set('8.8.8.0/24: allow'),
        after: { ...set('8.8.8.0/24: allow'), ipPolicyId: 'ipp_2' },
      }),
    ],
  },
  undecided: {
    'a rule and a set of one name come, and their policies are not known yet: the deny may be of the policy of the allow, or of another':
      [
        policyRule('site', { after: rule('0.0.0.0/0', 'allow', UNKNOWN) }),
        ruleSet('site', { after: { ...set('0.0.0.0/0: deny'), ipPolicyId: UNKNOWN } }),
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
    'a rule is created beside one that a refresh has read: a refresh creates nothing, so more happens to that one':
      [
        policyRule('branch', { op: 'refresh', before: BRANCH, after: BRANCH }),
        policyRule('open', { after: rule('0.0.0.0/0') }),
      ],
    'one rule is read and another one stays: a refresh reads all, so it is another run': [
      office,
      policyRule('branch', { op: 'refresh', before: BRANCH, after: BRANCH }),
    ],
    'a refresh of what the state does not have: no run has such a step': [
      policyRule('branch', { op: 'refresh', after: rule('0.0.0.0/0') }),
    ],
  },
};
