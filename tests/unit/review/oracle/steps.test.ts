// What the steps of the engine do to the objects of the service, against a judge that keeps a list of live rules: it shares
// nothing with the review, and knows each situation by what the engine does in it.
import fc from 'fast-check';
import { policyRule, type MadeResource } from '../preview-builder';
import { rule } from '../inputs';
import { reviewed } from '../reviewing';
import { actionsFor, ADDRESSES, getsIn, networkOf, wrongAt } from './addresses';

interface Rule {
  readonly cidr: string;
  readonly action: 'allow' | 'deny';
}

const aRule: fc.Arbitrary<Rule> = fc.record({
  cidr: networkOf(28, 29, 30, 32),
  action: fc.constantFrom('allow', 'deny'),
});

/** What happens to one resource: its steps, and the rules that are live before and after them. */
interface Situation {
  readonly steps: readonly Omit<MadeResource, 'type' | 'name'>[];
  readonly before: readonly Rule[];
  readonly after: readonly Rule[];
  /** What is only looked up may not be as it is shown. */
  readonly isOpen?: true;
}

const URN = 'urn:pulumi:dev::acme::pulumi-nodejs:dynamic/edge-policy:IpPolicyRule::';
const inputs = ({ cidr, action }: Rule) => rule(cidr, action);
const live = (of: Rule) => ({ outputs: inputs(of) });
const seen = (of: Rule) => ({ external: true, id: 'seen', ...live(of) });
/** The steps of a replacement that show both sides. */
const both = (ops: readonly string[], from: Rule, to: Rule, state: object = {}): Situation['steps'] =>
  ops.map((op) => ({ op, before: inputs(from), after: inputs(to), state: { ...state } }));

const same = (state: Rule): Situation => ({
  steps: [{ op: 'same', before: inputs(state), after: inputs(state) }],
  before: [state],
  after: [state],
});
const deleted = (state: Rule): Situation => ({
  steps: [{ op: 'delete', before: inputs(state), state: live(state) }],
  before: [state],
  after: [],
});

/** Each from three rules: the one of the state, the one that the program wants, and another one. */
const SITUATIONS: Readonly<Record<string, (state: Rule, wanted: Rule, other: Rule) => Situation>> = {
  same,
  create: (_, wanted) => ({ steps: [{ op: 'create', after: inputs(wanted) }], before: [], after: [wanted] }),
  update: (state, wanted) => ({
    steps: [{ op: 'update', before: inputs(state), after: inputs(wanted), state: live(state) }],
    before: [state],
    after: [wanted],
  }),
  'update of what somebody has changed': (state, wanted, other) => ({
    steps: [
      { op: 'refresh', before: inputs(state), after: inputs(state), newState: live(other) },
      { op: 'update', before: inputs(state), after: inputs(wanted), state: live(other) },
    ],
    before: [other],
    after: [wanted],
  }),
  delete: deleted,
  'delete of what somebody has changed': (state, _, other) => ({
    steps: [{ op: 'delete', before: inputs(state), state: live(other) }],
    before: [other],
    after: [],
  }),
  'retained delete': (state) => ({
    steps: [{ op: 'delete', before: inputs(state), state: { retainOnDelete: true } }],
    before: [state],
    after: [state],
  }),
  'deleted with what goes': (state) => ({
    steps: [{ op: 'delete', before: inputs(state), state: { deletedWith: `${URN}site` } }],
    before: [state],
    after: [state],
  }),
  'deleted with what stays': (state) => ({
    steps: [{ op: 'delete', before: inputs(state), state: { deletedWith: `${URN}base` } }],
    before: [state],
    after: [],
  }),
  'replace in one step': (state, wanted) => ({
    steps: [{ op: 'replace', before: inputs(state), after: inputs(wanted) }],
    before: [state],
    after: [wanted],
  }),
  'create, then delete': (state, wanted) => ({
    steps: [
      ...both(['create-replacement', 'replace'], state, wanted),
      { op: 'delete-replaced', before: inputs(state) },
    ],
    before: [state],
    after: [wanted],
  }),
  'delete, then create': (state, wanted) => ({
    steps: [
      { op: 'delete-replaced', before: inputs(state) },
      ...both(['replace', 'create-replacement'], state, wanted, { pendingReplacement: true }),
    ],
    before: [state],
    after: [wanted],
  }),
  'create of what an earlier run has deleted': (state, wanted) => ({
    steps: both(['replace', 'create-replacement'], state, wanted, { pendingReplacement: true }),
    before: [],
    after: [wanted],
  }),
  'entry of what an earlier run has deleted': (state) => ({
    steps: [{ op: 'remove-pending-replace', before: inputs(state), state: { pendingReplacement: true } }],
    before: [],
    after: [],
  }),
  'retained replace': (state, wanted) => ({
    steps: [
      ...both(['create-replacement', 'replace'], state, wanted, { retainOnDelete: true }),
      { op: 'delete-replaced', before: inputs(state), state: { retainOnDelete: true } },
    ],
    before: [state],
    after: [state, wanted],
  }),
  import: (state) => ({
    steps: [{ op: 'import', after: inputs(state), newState: { importID: 'live' } }],
    before: [state],
    after: [state],
  }),
  'import, then update': (state, wanted) => ({
    steps: [
      { op: 'import', after: inputs(wanted), newState: { importID: 'live' } },
      {
        op: 'update',
        before: inputs(state),
        after: inputs(wanted),
        state: { id: 'live', ...live(state) },
        newState: { importID: 'live' },
      },
    ],
    before: [state],
    after: [wanted],
  }),
  'import in the place of another': (state, wanted) => ({
    steps: [
      { op: 'import-replacement', after: inputs(wanted), newState: { importID: 'live' } },
      { op: 'replace', before: inputs(state), after: inputs(wanted), newState: { importID: 'live' } },
      { op: 'delete-replaced', before: inputs(state) },
    ],
    before: [state, wanted],
    after: [wanted],
  }),
  'look-up': (state) => ({
    steps: [
      { op: 'read', before: {}, after: {}, state: seen(state), newState: { external: true, id: 'seen' } },
    ],
    before: [state],
    after: [state],
    isOpen: true,
  }),
  'look-up that becomes managed': (state, wanted) => ({
    steps: [{ op: 'replace', before: {}, after: inputs(wanted), state: seen(state) }],
    before: [state],
    after: [state, wanted],
    isOpen: true,
  }),
};

/** What an earlier run has left to be deleted, beside whatever else happens. */
const leftover = (of: Rule, isRetained: boolean): Situation => ({
  steps: [
    {
      op: 'delete-replaced',
      before: inputs(of),
      state: { id: 'left', delete: true, ...live(of), ...(isRetained && { retainOnDelete: true }) },
    },
  ],
  before: [of],
  after: isRetained ? [of] : [],
});

const situation: fc.Arbitrary<Situation> = fc
  .record({
    made: fc.constantFrom(...Object.entries(SITUATIONS)),
    rules: fc.tuple(aRule, aRule, aRule),
    left: fc.option(fc.record({ of: aRule, isRetained: fc.boolean() }), { freq: 3 }),
  })
  .map(({ made: [name, make], rules, left }) => {
    const own = make(...rules);
    // Whatever is only looked up, or comes for the first time, has nothing left of earlier runs.
    if (!left || ['look-up', 'create', 'import'].includes(name)) return own;
    const old = leftover(left.of, left.isRetained);
    return {
      ...own,
      steps: [...own.steps, ...old.steps],
      before: [...own.before, ...old.before],
      after: [...own.after, ...old.after],
    };
  });

/** The rule that stays, and the one that goes: what others are deleted with. */
const FIXED = {
  base: same({ cidr: '198.18.7.72/29', action: 'allow' }),
  site: deleted({ cidr: '198.18.7.64/31', action: 'allow' }),
};

/** The same preview of which some values are hidden, before and after alike. */
const masked = (steps: Situation['steps'], hide: readonly string[]): Situation['steps'] =>
  JSON.parse(
    JSON.stringify(steps, (key, value: unknown) => (hide.includes(key) ? '[secret]' : value)),
  ) as Situation['steps'];

interface Described {
  readonly situation: Situation;
  readonly hide: readonly string[];
}

function check(described: readonly Described[]): void {
  const resources = [
    ...Object.entries(FIXED).map(([name, of]) => ({ name, situation: of, hide: [] as readonly string[] })),
    ...described.map((one, index) => ({ name: `rule${index}`, ...one })),
  ];
  const made = resources.flatMap(({ name, situation: { steps }, hide }) =>
    masked(steps, hide).map((step): MadeResource => policyRule(name, { ...step })),
  );
  const report = reviewed(made);
  expect(report.findings.filter(({ id }) => id === 'preview-incomplete')).toEqual([]);
  const access = report.accesses.find(({ subject }) => subject === 'ipp_1');
  if (access?.of !== 'addresses') throw new Error('the policy is not in the report');
  const [before, after] = [
    resources.flatMap(({ situation: of }) => of.before),
    resources.flatMap(({ situation: of }) => of.after),
  ];
  const isExact = described.every(({ hide, situation: { isOpen } }) => hide.length === 0 && isOpen !== true);
  const wrong = ADDRESSES.flatMap((ip) => {
    const [was, is] = [getsIn(actionsFor(before, ip)), getsIn(actionsFor(after, ip))];
    const isUnnoticed = was !== is && !report.verdict.affectsAccess;
    return [
      ...wrongAt(ip, access, { outcomes: [[was, is]], isExact }),
      ...(isUnnoticed ? [`${ip} moves unnoticed`] : []),
    ];
  });
  expect(wrong).toEqual([]);
}

test.each(Object.entries(SITUATIONS))('alone, and beside what stays: %s', (_name, make) => {
  fc.assert(
    fc.property(aRule, aRule, aRule, (...rules) => {
      check([{ situation: make(...rules), hide: [] }]);
    }),
    { numRuns: 30 },
  );
});

test('several resources at once, of which some may hide their network, action or both', () => {
  const seen = fc.record({ situation, hide: fc.constant([]) });
  const hidden = fc.record({ situation, hide: fc.subarray(['cidr', 'action']) });
  const several = fc.oneof(
    fc.array(seen, { minLength: 1, maxLength: 4 }),
    fc.array(hidden, { minLength: 1, maxLength: 4 }),
  );
  fc.assert(fc.property(several, check), { numRuns: 1200 });
});
