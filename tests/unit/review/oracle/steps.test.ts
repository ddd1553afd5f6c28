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
/** Steps that show both sides. */
const both = (ops: readonly string[], from: Rule, to: Rule, state: object = {}): Situation['steps'] =>
  ops.map((op) => ({ op, before: inputs(from), after: inputs(to), state: { ...state } }));
/** The step that deletes a rule. */
const gone = (of: Rule, state: object, op = 'delete') => ({ op, before: inputs(of), state: { ...state } });

/** The rules that are live, before and after these steps. */
const leading = (
  before: readonly Rule[],
  after: readonly Rule[],
  ...steps: Situation['steps']
): Situation => ({ steps, before, after });

const IMPORTED = { importID: 'live' };
const PENDING = { pendingReplacement: true };
const RETAINED = { retainOnDelete: true };

const same = (state: Rule): Situation => leading([state], [state], ...both(['same'], state, state));
const deleted = (state: Rule): Situation => leading([state], [], gone(state, live(state)));

/** Each from three rules: the one of the state, the one that the program wants, and another one. */
const SITUATIONS: Readonly<Record<string, (state: Rule, wanted: Rule, other: Rule) => Situation>> = {
  same,
  create: (_, wanted) => leading([], [wanted], { op: 'create', after: inputs(wanted) }),
  update: (state, wanted) => leading([state], [wanted], ...both(['update'], state, wanted, live(state))),
  'update of what somebody has changed': (state, wanted, other) =>
    leading(
      [other],
      [wanted],
      { op: 'refresh', before: inputs(state), after: inputs(state), newState: live(other) },
      ...both(['update'], state, wanted, live(other)),
    ),
  delete: deleted,
  'delete of what somebody has changed': (state, _, other) => leading([other], [], gone(state, live(other))),
  'retained delete': (state) => leading([state], [state], gone(state, RETAINED)),
  'deleted with what goes': (state) => leading([state], [state], gone(state, { deletedWith: `${URN}site` })),
  'deleted with what stays': (state) => leading([state], [], gone(state, { deletedWith: `${URN}base` })),
  'replace in one step': (state, wanted) => leading([state], [wanted], ...both(['replace'], state, wanted)),
  'create, then delete': (state, wanted) =>
    leading(
      [state],
      [wanted],
      ...both(['create-replacement', 'replace'], state, wanted),
      gone(state, {}, 'delete-replaced'),
    ),
  'delete, then create': (state, wanted) =>
    leading(
      [state],
      [wanted],
      gone(state, {}, 'delete-replaced'),
      ...both(['replace', 'create-replacement'], state, wanted, PENDING),
    ),
  'create of what an earlier run has deleted': (state, wanted) =>
    leading([], [wanted], ...both(['replace', 'create-replacement'], state, wanted, PENDING)),
  'entry of what an earlier run has deleted': (state) =>
    leading([], [], gone(state, PENDING, 'remove-pending-replace')),
  'retained replace': (state, wanted) =>
    leading(
      [state],
      [state, wanted],
      ...both(['create-replacement', 'replace'], state, wanted, RETAINED),
      gone(state, RETAINED, 'delete-replaced'),
    ),
  import: (state) => leading([state], [state], { op: 'import', after: inputs(state), newState: IMPORTED }),
  'import, then update': (state, wanted) =>
    leading(
      [state],
      [wanted],
      { op: 'import', after: inputs(wanted), newState: IMPORTED },
      ...both(['update'], state, wanted, { id: 'live', ...live(state) }).map((step) => ({
        ...step,
        newState: IMPORTED,
      })),
    ),
  'import in the place of another': (state, wanted) =>
    leading(
      [state, wanted],
      [wanted],
      { op: 'import-replacement', after: inputs(wanted), newState: IMPORTED },
      { op: 'replace', before: inputs(state), after: inputs(wanted), newState: IMPORTED },
      gone(state, {}, 'delete-replaced'),
    ),
  'look-up': (state) => ({
    ...leading([state], [state], {
      ...{ op: 'read', before: {}, after: {} },
      ...{ state: seen(state), newState: { external: true, id: 'seen' } },
    }),
    isOpen: true,
  }),
  'look-up that becomes managed': (state, wanted) => ({
    ...leading([state], [state, wanted], {
      op: 'replace',
      before: {},
      after: inputs(wanted),
      state: seen(state),
    }),
    isOpen: true,
  }),
};

/** What an earlier run has left to be deleted, beside whatever else happens. */
const leftover = (of: Rule, isRetained: boolean): Situation => {
  const state = { id: 'left', delete: true, ...live(of), ...(isRetained && RETAINED) };
  return leading([of], isRetained ? [of] : [], gone(of, state, 'delete-replaced'));
};

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
