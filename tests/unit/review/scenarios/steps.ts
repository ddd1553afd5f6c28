// What the engine's steps do to the objects of the service, written down before the review was run.
import type { MadeResource } from '../preview-builder';
import { kept, rule } from '../preview-builder';
import type { MixedScenario } from './mixed';

const office = kept('office', rule('8.8.8.0/24'));
const URN = 'urn:pulumi:dev::acme::pulumi-nodejs:dynamic/edge-policy:IpPolicyRule::';

/** A step of the rule `branch`. */
const step = (
  op: string,
  { before, after, state, newState }: Omit<MadeResource, 'type' | 'name' | 'op'>,
): MadeResource => ({
  type: 'IpPolicyRule',
  name: 'branch',
  op,
  ...(before && { before }),
  ...(after && { after }),
  ...(state && { state }),
  ...(newState && { newState }),
});
const set = (...lines: string[]) => ({
  ipPolicyId: 'ipp_1',
  exclusive: false,
  rules: ['@rules', ...lines, ''].join('\n'),
});
const policy = (...rules: readonly object[]) => ({
  edgeId: 'edgtcp_1',
  enabled: true,
  value: JSON.stringify({ inbound: rules }),
});
const deny = (expression: string) => ({
  name: 'rule',
  expressions: [expression],
  actions: [{ type: 'deny' }],
});
const filter = (...patterns: string[]) => ({
  edgeId: 'e',
  routeId: 'r',
  enabled: true,
  allow: [],
  deny: patterns,
});
/** An import, and the update that follows it, which starts from what is live. */
const imported = (type: MadeResource['type'], live: object, wanted: object): MadeResource[] => [
  { type, name: 'found', op: 'import', after: { ...wanted }, newState: { importID: 'live' } },
  {
    type,
    name: 'found',
    op: 'update',
    before: { ...live },
    after: { ...wanted },
    state: { id: 'live', outputs: live },
    newState: { importID: 'live' },
  },
];
/** What an earlier run could not delete: it shares its name with its successor. */
const pending = (before: MadeResource['before'], state: object = {}): MadeResource =>
  step('delete-replaced', { ...(before && { before }), state: { id: 'pending', delete: true, ...state } });
const again = (
  before: NonNullable<MadeResource['before']>,
  after: NonNullable<MadeResource['after']>,
  isDeleteShown = true,
): MadeResource[] => [
  step('create-replacement', { before, after }),
  step('replace', { before, after }),
  ...(isDeleteShown ? [step('delete-replaced', { before })] : []),
];

export const steps: readonly MixedScenario[] = [
  [
    'a rule is imported and opened',
    'before is what was live',
    [office, ...imported('IpPolicyRule', rule('8.8.4.4/32'), rule('0.0.0.0/0'))],
    'gain critical',
  ],
  [
    'a rule is imported as it is',
    'it was live before',
    [office, step('import', { after: rule('9.9.9.0/24'), newState: { importID: 'live' } })],
    'same',
  ],
  [
    'a rule is imported and narrowed',
    'what was live was wider',
    [office, ...imported('IpPolicyRule', rule('9.9.0.0/16'), rule('9.9.9.0/24'))],
    'loss low',
  ],
  [
    'a live deny is imported as an allow',
    'what it kept out gets in',
    [office, ...imported('IpPolicyRule', rule('9.9.9.0/24', 'deny'), rule('9.9.9.0/24'))],
    'gain medium',
  ],
  [
    'a traffic policy is imported and emptied',
    'its protection is lost',
    imported(
      'TcpEdgeTrafficPolicyModule',
      policy(deny("inCidrRange(conn.client_ip, '8.8.8.0/24')")),
      policy(),
    ),
    'gain high',
  ],
  [
    'a filter is imported with one more pattern',
    'the live one let that client in',
    imported('HttpsEdgeRouteUserAgentFilterModule', filter('curl'), filter('curl', '^Wget/')),
    'loss low',
  ],
  [
    'a set is imported without a deny that is live',
    'that deny goes',
    imported('IpPolicyRuleSet', set('8.0.0.0/8 allow', '8.8.8.8/32 deny'), set('8.0.0.0/8 allow')),
    'gain medium',
  ],
  [
    'a resource comes to stand for another live rule',
    'the old object goes, the new one was live',
    [
      office,
      step('import-replacement', { after: rule('9.9.9.0/25'), newState: { importID: 'live' } }),
      step('replace', {
        before: rule('9.9.9.0/24'),
        after: rule('9.9.9.0/25'),
        newState: { importID: 'live' },
      }),
      step('delete-replaced', { before: rule('9.9.9.0/24') }),
    ],
    'loss low',
  ],
  [
    'the same, of which the preview shows one step',
    'the new object names what it imports',
    [
      office,
      step('replace', {
        before: rule('9.9.9.0/24'),
        after: rule('9.9.9.0/25'),
        newState: { importID: 'live' },
      }),
    ],
    'loss low',
  ],
  [
    'a deny that an earlier run left goes now',
    'what it kept out gets in',
    [
      office,
      step('same', { before: rule('9.9.9.0/24'), after: rule('9.9.9.0/24') }),
      pending(rule('8.8.8.8/32', 'deny')),
    ],
    'gain medium',
  ],
  [
    'an allow that an earlier run left goes now',
    'what it let in is locked out',
    [
      office,
      step('same', { before: rule('9.9.9.0/24'), after: rule('9.9.9.0/24') }),
      pending(rule('9.9.8.0/24')),
    ],
    'loss low',
  ],
  [
    'a deny goes beside its unchanged successor, which is secret',
    'that the one stays says nothing of the other',
    [
      office,
      step('same', { before: rule('[secret]'), after: rule('[secret]') }),
      pending(rule('8.8.8.8/32', 'deny')),
    ],
    'gain medium',
  ],
  [
    'a secret allow goes beside its unchanged successor',
    'whom it let in is hidden',
    [
      office,
      step('same', { before: rule('9.9.9.0/24'), after: rule('9.9.9.0/24') }),
      pending(rule('[secret]')),
    ],
    'loss medium',
  ],
  [
    'a rule is replaced again before its predecessor is gone',
    'both old objects go',
    [office, ...again(rule('9.9.9.0/24'), rule('9.9.10.0/24')), pending(rule('9.9.8.0/24'))],
    'both medium',
  ],
  [
    'an allow leaves the state with what it is deleted with',
    'nothing deletes it on the service',
    [
      office,
      step('delete', { before: rule('9.9.9.0/24'), state: { deletedWith: `${URN}site` } }),
      { type: 'IpPolicyRule', name: 'site', op: 'delete', before: rule('9.9.8.0/24') },
    ],
    'loss medium',
  ],
  [
    'an allow goes, and what it would be deleted with stays',
    'it is deleted like any other',
    [office, step('delete', { before: rule('9.9.9.0/24'), state: { deletedWith: `${URN}office` } })],
    'loss low',
  ],
  [
    'what an earlier run left is retained',
    'it leaves the state and stays live',
    [
      office,
      step('same', { before: rule('9.9.9.0/24'), after: rule('9.9.9.0/24') }),
      pending(rule('8.8.8.8/32', 'deny'), { retainOnDelete: true }),
    ],
    'same medium',
  ],
  [
    'a look-up becomes managed',
    'the engine creates an object of its own',
    [office, step('replace', { before: {}, after: rule('9.9.9.0/24'), state: { external: true } })],
    'gain medium',
  ],
  [
    'a secret network is the same',
    'it hides no change but its own',
    [
      office,
      kept('hidden', rule('[secret]')),
      { type: 'IpPolicyRule', name: 'new', after: rule('9.9.9.0/24') },
    ],
    'gain medium',
  ],
  [
    'an unchanged secret is revealed',
    'the engine says that it is the same',
    [office, step('same', { before: rule('[secret]'), after: rule('9.9.9.0/24') })],
    'same',
  ],
  [
    'a deny goes from below a rule that --target leaves out, and that a refresh found open',
    'what is live lets in what the deny kept out',
    [
      {
        ...office,
        op: 'same',
        state: { outputs: rule('0.0.0.0/0') },
        newState: { outputs: rule('0.0.0.0/0') },
      },
      step('delete', { before: rule('9.9.9.0/24', 'deny') }),
    ],
    'gain medium',
  ],
  [
    'a replacement of which an earlier run has deleted the object',
    'it is created again',
    [
      office,
      ...again(rule('9.9.9.0/24'), rule('9.9.9.0/24'), false).map((each) => ({
        ...each,
        state: { pendingReplacement: true },
      })),
    ],
    'gain medium',
  ],
  [
    'a refresh finds a rule open',
    'somebody has opened it on the service',
    [
      step('refresh', {
        before: rule('8.8.8.0/24'),
        after: rule('8.8.8.0/24'),
        newState: { outputs: rule('0.0.0.0/0') },
      }),
    ],
    'gain critical',
  ],
  [
    'a refresh finds a deny gone',
    'what it kept out gets in',
    [
      {
        type: 'IpPolicyRule',
        name: 'office',
        op: 'refresh',
        before: rule('8.8.8.0/24'),
        after: rule('8.8.8.0/24'),
      },
      step('refresh', { before: rule('8.8.8.8/32', 'deny') }),
    ],
    'gain medium',
  ],
  [
    'a set that was applied in part is finished',
    'the deny of its inputs was not there yet',
    [
      {
        type: 'IpPolicyRuleSet',
        name: 'set',
        op: 'update',
        before: set('8.0.0.0/8 allow', '8.8.8.8/32 deny'),
        after: set('8.0.0.0/8 allow', '8.8.8.8/32 deny'),
        state: { outputs: set('8.0.0.0/8 allow') },
      },
    ],
    'loss low',
  ],
  [
    'an allow is replaced by one of another policy',
    'one policy loses what the other gains',
    [office, step('replace', { before: rule('9.9.9.0/24'), after: rule('9.9.9.0/24', 'allow', 'ipp_2') })],
    'both medium',
  ],
  [
    'a deny that is retained is replaced by an allow',
    'the deny stays live, and is stronger',
    [
      office,
      step('replace', {
        before: rule('8.8.8.8/32', 'deny'),
        after: rule('8.8.8.8/32'),
        state: { retainOnDelete: true },
      }),
    ],
    'same medium',
  ],
  ...(
    [
      [
        'is deleted before its successor is made',
        { pendingReplacement: true },
        'it is deleted, too',
        'loss low',
      ],
      [
        'is deleted after its successor is made',
        { delete: true },
        'it leaves the state and stays live',
        'same medium',
      ],
      ['is replaced in no known order', {}, 'no run has such steps', 'undecided'],
    ] as const
  ).map(([how, state, why, wanted]): MixedScenario => [
    `an allow is deleted with what ${how}`,
    why,
    [
      office,
      step('delete', { before: rule('9.9.9.1/32'), state: { deletedWith: `${URN}site` } }),
      {
        ...{ type: 'IpPolicyRule', name: 'site', op: 'replace', state },
        ...{ before: rule('9.9.9.2/32'), after: rule('9.9.9.2/32') },
      },
    ],
    wanted,
  ]),
  [
    'a filter takes over what it finds',
    'what it replaces may have kept others out',
    [
      {
        type: 'HttpsEdgeRouteUserAgentFilterModule',
        name: 'filter',
        after: { ...filter('^Wget/'), overwriteExisting: true },
      },
    ],
    'loss medium',
  ],
  [
    'a rule is replaced by one that takes over what it finds',
    'the network of the new one may have a deny',
    [
      office,
      step('replace', {
        before: rule('8.8.8.1/32'),
        after: { ...rule('8.8.8.2/32'), overwriteExisting: true },
      }),
    ],
    'same medium',
  ],
  [
    'what an earlier run left is deleted beside an import',
    'the import changes nothing, the deny goes',
    [
      office,
      step('import', { after: rule('8.8.8.1/32'), newState: { importID: 'live' } }),
      pending(rule('8.8.8.8/32', 'deny')),
    ],
    'gain medium',
  ],
  [
    'a rule of which an earlier run deleted the object goes for good',
    'nothing is there to go',
    [
      office,
      step('remove-pending-replace', {
        before: rule('9.9.9.0/24'),
        state: { pendingReplacement: true },
      }),
    ],
    'same',
  ],
  [
    'a refresh finds an object gone that the program makes again',
    'it is locked out until then',
    [office, step('refresh', { before: rule('9.9.9.0/24') }), step('create', { after: rule('9.9.9.0/24') })],
    'gain medium',
  ],
  [
    'a deny takes over what it finds',
    'nobody gets in by a deny, whatever it replaces',
    [office, step('create', { after: { ...rule('8.8.8.8/32', 'deny'), overwriteExisting: true } })],
    'loss low',
  ],
  [
    'an allow within another one takes over what it finds',
    'what it replaces may be a deny that nobody sees',
    [office, step('create', { after: { ...rule('8.8.8.8/32'), overwriteExisting: true } })],
    'same medium',
  ],
  [
    'a rule may overwrite from now on',
    'it is made already, and meets nothing',
    [
      office,
      step('update', {
        before: rule('9.9.9.9/32'),
        after: { ...rule('9.9.9.9/32'), overwriteExisting: true },
      }),
    ],
    'same',
  ],
  [
    'a traffic policy takes over what it finds',
    'what it replaces may have kept others out',
    [
      {
        type: 'TcpEdgeTrafficPolicyModule',
        name: 'edge',
        after: { ...policy(deny("inCidrRange(conn.client_ip, '8.8.8.0/24')")), overwriteExisting: true },
      },
    ],
    'loss medium',
  ],
  [
    'a set that may overwrite gains an allow',
    'the network may have a deny',
    [
      {
        type: 'IpPolicyRuleSet',
        name: 'set',
        before: { ...set('8.0.0.0/8 allow'), overwriteExisting: true },
        after: { ...set('8.0.0.0/8 allow', '8.8.8.8/32 allow'), overwriteExisting: true },
      },
    ],
    'same medium',
  ],
  [
    'a set that may overwrite loses an allow',
    'no network of it is new',
    [
      {
        type: 'IpPolicyRuleSet',
        name: 'set',
        before: { ...set('8.0.0.0/8 allow', '9.9.9.9/32 allow'), overwriteExisting: true },
        after: { ...set('8.0.0.0/8 allow'), overwriteExisting: true },
      },
    ],
    'loss low',
  ],
  [
    'whether a rule may overwrite is not known',
    'it may',
    [office, step('create', { after: { ...rule('8.8.8.8/32'), overwriteExisting: '[secret]' } })],
    'same medium',
  ],
  [
    'an update takes back what a refresh found',
    'what is live is wider than what was declared',
    [
      office,
      step('refresh', {
        before: rule('9.9.9.0/24'),
        after: rule('9.9.9.0/24'),
        newState: { outputs: rule('9.9.0.0/16') },
      }),
      step('update', {
        before: rule('9.9.9.0/24'),
        after: rule('9.9.9.0/24'),
        state: { outputs: rule('9.9.0.0/16') },
      }),
    ],
    'loss low',
  ],
  ...[
    "conn.tls.sni == 'a.example'",
    'conn.ts.hour > 8',
    "conn.list.exists(x, x == 'a')",
    "conn['client_ip'] == '8.8.8.8'",
  ].map((expression): MixedScenario => [
    `a deny is added beside the unchanged condition ${expression}`,
    'what does not change has the same outcome on both sides',
    [
      {
        type: 'TcpEdgeTrafficPolicyModule',
        name: 'edge',
        before: policy(deny(expression)),
        after: policy(deny(expression), deny("inCidrRange(conn.client_ip, '9.9.9.0/24')")),
      },
    ],
    'loss medium',
  ]),
];
