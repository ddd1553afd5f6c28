// What the steps of a run leave live, by the rules of the engine. tests/engine/review-fate.test.ts holds them to runs; here is
// each way in which a preview could say less than the run does.
import { kept, policyRule, type MadeResource } from './preview-builder';
import { edgeInputs, filterInputs, rule, setInputs, UNKNOWN } from './inputs';
import { isEmptyCidrSet } from '../../../review/src/access/cidr-set';
import { newIds, reviewed, told } from './reviewing';

const NETWORK = '198.51.100.0/24';
const DENY = rule(NETWORK, 'deny');
const ALLOW_ALL = rule('0.0.0.0/0');
const URN = 'urn:pulumi:dev::acme::pulumi-nodejs:dynamic/edge-policy:IpPolicyRule::';

type Step = Partial<Omit<MadeResource, 'name'>>;

/** The steps of the resource `it`. */
const its = (...steps: Step[]): MadeResource[] => steps.map((step) => policyRule('it', { ...step }));

const judged = (...resources: readonly MadeResource[]) => reviewed(resources, { noNewAccess: true });

type End = 'goes' | 'stays' | 'not known' | 'not decidable';

/** What becomes of the deny beside an allow of everything, by who gets in after it. */
function endOf(...resources: readonly MadeResource[]): End {
  const { accesses, verdict } = judged(...resources);
  const [access] = accesses;
  if (verdict.outcome === 'not-decidable' || access?.of !== 'addresses') return 'not decidable';
  const { surely, possibly } = access.gained;
  const end = isEmptyCidrSet(possibly) ? 'stays' : isEmptyCidrSet(surely) ? 'not known' : 'goes';
  expect(verdict.affectsAccess).toBe(end !== 'stays');
  return end;
}

const ALL = kept('all', ALLOW_ALL);

/** `T.get(name, id)` in place of a managed resource. */
const lookUp = (before: object, id: string, more: Step = {}): Step => ({
  ...{ op: 'read', before: { ...before }, after: {}, newState: { external: true, id } },
  ...more,
});

describe('a resource that the program only looks up from now on', () => {
  test.each<[MadeResource['type'], object]>([
    ['IpPolicyRule', DENY],
    ['IpPolicyRuleSet', setInputs([`${NETWORK}: deny`])],
    ['TcpEdgeTrafficPolicyModule', edgeInputs({ name: 'a', actions: [{ type: 'deny' }] })],
    ['HttpsEdgeRouteUserAgentFilterModule', filterInputs(['bot'])],
  ])('%s: what it does is as before, and is said', (type, inputs) => {
    const report = judged(ALL, ...its({ type, ...lookUp(inputs, 'id-it') }));
    expect(report.verdict).toMatchObject({ affectsAccess: false });
    expect(newIds(report)).toEqual(['left-on-service']);
    expect(report.plan.plan.resources).toContainEqual(expect.objectContaining({ operation: 'forget' }));
  });

  const replaced = (id: string | undefined, state?: object): Step[] =>
    ['read-replacement', 'replace'].map((op) =>
      lookUp(DENY, '', { op, newState: { external: true, id }, ...(state && { state: { ...state } }) }),
    );
  const last = { delete: true };
  const deleted = { op: 'delete-replaced', before: DENY, state: last };

  test.each<[fact: string, end: End, steps: Step[], isLeft: boolean]>([
    ['another id: the engine deletes it', 'not known', [...replaced('id-other', last), deleted], false],
    ['another id, in one step, which no run has', 'not decidable', [lookUp(DENY, 'id-other')], false],
    ['another id, and --target leaves the delete to a later run', 'stays', replaced('id-other'), false],
    // The engine marks and names objects while it prints: no step but the first may have the id.
    ['an unknown id, maybe the same', 'not known', [...replaced(UNKNOWN, last), deleted], true],
    ['no id yet', 'not known', [...replaced(undefined, last), deleted], true],
  ])('with %s: %s', (_fact, end, steps, isLeft) => {
    expect(endOf(ALL, ...its(...steps))).toBe(end);
    expect(newIds(judged(...its(...steps))).includes('left-on-service')).toBe(isLeft);
  });
});

const both = { before: DENY, after: DENY };
const destroyed = (state: object = {}): Step[] => [
  { op: 'same', ...both },
  { op: 'delete', before: DENY, state: { ...state } },
];
test.each<[fact: string, end: End, steps: readonly Step[]]>([
  ['a destroy registers and then deletes it', 'goes', destroyed()],
  ['a destroy that runs the program takes its options', 'stays', destroyed({ retainOnDelete: true })],
  ...['same', 'update', 'read'].map((op): [string, End, Step[]] => [
    `${op}: what an earlier run has replaced is only deleted`,
    'not decidable',
    [{ op, ...both, state: { delete: true }, newState: { id: 'id-it' } }],
  ]),
])('%s: %s', (_fact, end, steps) => {
  expect(endOf(ALL, ...its(...steps))).toBe(end);
});

test('an import that finds something else, and no update of it, leaves that live', () => {
  const found = its({ op: 'import', after: DENY, newState: { importID: 'live', outputs: ALLOW_ALL } });
  expect(endOf(...found, policyRule('denies', { before: rule('0.0.0.0/0', 'deny') }))).toBe('goes');
});

test('a create that a destroy leaves out is nothing, before or after', () => {
  const skipped = its({ op: 'same', before: ALLOW_ALL, after: ALLOW_ALL, state: { id: '' } });
  expect(endOf(...skipped, policyRule('all', { after: ALLOW_ALL }))).toBe('goes');
});

const LINES = ['10.0.0.0/8: deny'];

test.each<[string, MadeResource['type'], object, object]>([
  ['another network', 'IpPolicyRule', rule('10.0.0.0/8'), ALLOW_ALL],
  ['another policy', 'IpPolicyRule', rule('10.0.0.0/8'), rule('10.0.0.0/8', 'allow', 'ipp_2')],
  ['another rule of a set', 'IpPolicyRuleSet', setInputs(LINES), setInputs(['10.0.0.0/9: deny'])],
  ['another owner', 'IpPolicyRuleSet', setInputs(LINES), setInputs(LINES, true)],
  ['another pattern', 'HttpsEdgeRouteUserAgentFilterModule', filterInputs(['bot']), filterInputs([])],
])('same, with %s: no run of the engine says so', (_, type, before, after) => {
  const of = (wanted: object) => its({ op: 'same', type, before: { ...before }, after: { ...wanted } });
  expect(endOf(ALL, ...of(after))).toBe('not decidable');
  expect(endOf(ALL, ...of({ ...before, overwriteExisting: true, description: 'new' }))).toBe('stays');
});

test.each<Step>([
  ...['discard', 'discard-replaced', 'remove-pending-replace', 'read-discard'].map((op) => ({
    op,
    before: DENY,
  })),
  ...['create', 'import', 'diff'].map((op) => ({ op, ...both })),
  // Beside the steps of an up.
  { op: 'refresh', ...both },
])('$op: no run has such a step for a managed rule, so it is not decidable', (step) => {
  expect(endOf({ ...ALL, op: 'refresh' }, ALL, ...its(step))).toBe('not decidable');
});

// tests/engine/review-fate.test.ts takes every way to end beside every end of the other one.
describe('a deny that is deletedWith another rule', () => {
  const WITH = { deletedWith: `${URN}target` };
  const [own, moved] = [rule('203.0.113.0/24'), rule('192.0.2.0/24', 'deny', 'ipp_2')];
  const leaving = its({ op: 'delete', before: DENY, state: WITH });
  const target = (...steps: Step[]): MadeResource[] =>
    steps.map((step) => policyRule('target', { before: own, ...step }));
  const gone = target({ op: 'delete' });

  // Flags are only in some steps.
  const deletedFirst = target(
    { op: 'delete-replaced' },
    { op: 'replace', after: own, state: { pendingReplacement: true } },
    { op: 'create-replacement', after: own },
  );
  const madeFirst = target(
    { op: 'create-replacement', after: own },
    { op: 'replace', after: own, state: { delete: true } },
    { op: 'delete-replaced' },
  );

  test.each<[string, End, other: MadeResource[]]>([
    ['is replaced, deleted first', 'not known', deletedFirst],
    ['is replaced, made first', 'stays', madeFirst],
    ['is in no step', 'not known', []],
  ])('the other %s: the deny %s', (_, end, other) => {
    expect(endOf(ALL, ...other, ...leaving)).toBe(end);
  });

  test('that of one object leaves the others decided, and is said', () => {
    const report = judged(ALL, ...leaving, policyRule('late', { after: moved }));
    expect(report.verdict).toMatchObject({ outcome: 'findings' });
    expect(told(report).join()).toContain('the effect of "it" depends on whether the run deletes it');
  });

  test('one that stays is named', () => {
    expect(newIds(judged(ALL, ...gone, ...leaving))).toContain('left-on-service');
  });
});
