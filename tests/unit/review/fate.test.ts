// What the steps of a run leave live, by the rules of the engine. tests/engine/review-fate.test.ts holds them to runs; here is
// each way in which a preview could say less than the run does.
import {
  edgeInputs,
  filterInputs,
  kept,
  type MadeResource,
  policyRule,
  previewOf,
  rule,
  setInputs,
  UNKNOWN,
} from './preview-builder';
import { isEmptyCidrSet } from '../../../review/src/access/cidr-set';
import { newIds, reviewed, told } from './reviewing';

const NETWORK = '198.51.100.0/24';
const DENY = rule(NETWORK, 'deny');
const ALLOW_ALL = rule('0.0.0.0/0');
const URN = 'urn:pulumi:dev::acme::pulumi-nodejs:dynamic/edge-policy:IpPolicyRule::';

type RuleInputs = ReturnType<typeof rule>;
type Step = Partial<Omit<MadeResource, 'name'>>;

/** The steps of the resource `it`. */
const its = (...steps: Step[]): MadeResource[] => steps.map((step) => policyRule('it', { ...step }));

const judged = (...resources: readonly MadeResource[]) =>
  reviewed(previewOf(...resources), { noNewAccess: true });
const outcome = (...resources: readonly MadeResource[]) => judged(...resources).verdict;

/** What becomes of the deny, by who gets in after it. */
function endOf(...resources: readonly MadeResource[]): string {
  const { accesses, verdict } = judged(...resources);
  const [access] = accesses;
  if (access?.of !== 'addresses' || verdict.outcome === 'not-decidable') return verdict.outcome;
  const { surely, possibly } = access.gained;
  return isEmptyCidrSet(possibly) ? 'stays' : isEmptyCidrSet(surely) ? 'not known' : 'goes';
}

const DENIED: readonly MadeResource[] = [kept('all', ALLOW_ALL)];
const isOpened = { outcome: 'findings', affectsAccess: true };
const isUnchanged = { affectsAccess: false };
const isUndecided = { outcome: 'not-decidable', affectsAccess: true };

/** `T.get(name, id)` in place of a managed resource. */
const lookUp = (before: object, id: string, more: Step = {}): Step => ({
  ...{ op: 'read', before: { ...before }, after: {}, newState: { external: true, id } },
  ...more,
});

describe('a resource that the program only looks up from now on', () => {
  test('with the same id, the rule stays live: the denies beside it go, and everybody gets in', () => {
    const all = policyRule('all', { ...lookUp(ALLOW_ALL, 'id-all') });
    const report = judged(all, ...its({ before: DENY }));
    expect(report.verdict).toMatchObject(isOpened);
    expect(newIds(report)).toEqual(
      expect.arrayContaining(['left-on-service', 'access-widened', 'new-access']),
    );
  });

  test.each<[MadeResource['type'], object]>([
    ['IpPolicyRule', DENY],
    ['IpPolicyRuleSet', { ipPolicyId: 'ipp_1', rules: `@rules\n${NETWORK}: deny\n` }],
    ['TcpEdgeTrafficPolicyModule', edgeInputs({ name: 'a', actions: [{ type: 'deny' }] })],
    ['HttpsEdgeRouteUserAgentFilterModule', filterInputs(['bot'])],
  ])('%s: what it does is as before, and is said', (type, inputs) => {
    const report = judged(...DENIED, ...its({ type, ...lookUp(inputs, 'id-it') }));
    expect(report.verdict).toMatchObject(isUnchanged);
    expect(newIds(report)).toEqual(['left-on-service']);
    expect(report.plan.plan.resources).toContainEqual(expect.objectContaining({ operation: 'forget' }));
  });

  test('with another id, the engine deletes the rule', () => {
    const other = { newState: { external: true, id: 'id-other' } };
    const steps = ['read-replacement', 'replace'].map((op) =>
      lookUp(DENY, '', { op, ...other, state: { delete: true } }),
    );
    const deleted = { op: 'delete-replaced', before: DENY, state: { delete: true } };
    expect(outcome(...DENIED, ...its(...steps, deleted))).toMatchObject(isOpened);
    expect(outcome(...DENIED, ...its(lookUp(DENY, 'id-other')))).toMatchObject(isUndecided);
  });

  test('with another id, where --target leaves the delete to a later run, the rule stays live until then', () => {
    const other = { newState: { external: true, id: 'id-other' } };
    const steps = ['read-replacement', 'replace'].map((op) => lookUp(DENY, '', { op, ...other }));
    expect(outcome(...DENIED, ...its(...steps))).toMatchObject(isUnchanged);
  });

  // The engine marks and names objects while it prints: no step but the first may have the id.
  test.each([UNKNOWN, undefined])(
    'with the id %s, which is not known yet, it may be the same: not known',
    (id) => {
      const unknown = { newState: { external: true, id }, state: { delete: true } };
      const steps = ['read-replacement', 'replace'].map((op) => lookUp(DENY, '', { op, ...unknown }));
      const deleted = { op: 'delete-replaced', before: DENY, state: { delete: true } };
      expect(endOf(...DENIED, ...its(...steps, deleted))).toBe('not known');
      expect(newIds(judged(...its(...steps, deleted)))).toContain('left-on-service');
    },
  );
});

test.each(['same', 'update', 'read'])('%s: what an earlier run has replaced is only deleted', (op) => {
  const leftover = its({ op, before: DENY, after: DENY, state: { delete: true }, newState: { id: 'id-it' } });
  expect(outcome(...DENIED, ...leftover)).toMatchObject(isUndecided);
});

test('an import that finds something else, and no update of it, leaves that live', () => {
  const imported = its({ op: 'import', after: DENY, newState: { importID: 'live', outputs: ALLOW_ALL } });
  const denied = policyRule('denies', { before: rule('0.0.0.0/0', 'deny') });
  expect(outcome(...imported, denied)).toMatchObject(isOpened);
});

test('an import that is replaced in the same change, which an `up` refuses, is not decidable', () => {
  const [live, elsewhere] = [rule('8.8.8.0/24'), rule('0.0.0.0/0', 'allow', 'ipp_2')];
  const [imported, old] = [{ importID: 'live' }, { before: live, state: { id: 'live' } }];
  const replaced = ['replace', 'create-replacement'].map((op) => ({
    op,
    ...old,
    after: elsewhere,
    newState: imported,
  }));
  const steps = [
    { op: 'import', after: elsewhere, newState: imported },
    { op: 'delete-replaced', ...old },
    ...replaced,
  ];
  expect(outcome(...its(...steps))).toMatchObject(isUndecided);
  expect(outcome(...its(...steps.slice(0, 1), ...replaced.slice(0, 1)))).toMatchObject(isUndecided);
});

test.each<[string, MadeResource['type'], object, object]>([
  ['another network', 'IpPolicyRule', rule('10.0.0.0/8'), ALLOW_ALL],
  ['another policy', 'IpPolicyRule', rule('10.0.0.0/8'), rule('10.0.0.0/8', 'allow', 'ipp_2')],
  [
    'another rule of a set',
    'IpPolicyRuleSet',
    setInputs(['10.0.0.0/8: deny']),
    setInputs(['10.0.0.0/9: deny']),
  ],
  [
    'another owner',
    'IpPolicyRuleSet',
    setInputs(['10.0.0.0/8: deny']),
    setInputs(['10.0.0.0/8: deny'], true),
  ],
  ['another pattern', 'HttpsEdgeRouteUserAgentFilterModule', filterInputs(['bot']), filterInputs([])],
])('same, with %s: no run of the engine says so', (_, type, before, after) => {
  const of = (wanted: object) => its({ op: 'same', type, before: { ...before }, after: { ...wanted } });
  expect(outcome(...DENIED, ...of(after))).toMatchObject(isUndecided);
  expect(outcome(...DENIED, ...of({ ...before, overwriteExisting: true, description: 'new' }))).toMatchObject(
    isUnchanged,
  );
});

test.each<[string, readonly Step[]]>([
  ['discard', [{ op: 'discard', before: DENY }]],
  ['discard-replaced', [{ op: 'discard-replaced', before: DENY }]],
  ['remove-pending-replace', [{ op: 'remove-pending-replace', before: DENY }]],
  ['create', [{ op: 'create', before: DENY, after: DENY }]],
  ['import', [{ op: 'import', before: DENY, after: DENY }]],
  ['diff', [{ op: 'diff', before: DENY, after: DENY }]],
  ['read-discard', [{ op: 'read-discard', before: DENY }]],
  ['refresh beside the steps of an up', [{ op: 'refresh', before: DENY, after: DENY }]],
])('%s: no run has such a step for a managed rule, so it is not decidable', (_, steps) => {
  const stack = [
    { ...kept('all', ALLOW_ALL), op: 'refresh' },
    { ...kept('all', ALLOW_ALL), op: 'same' },
  ];
  expect(outcome(...stack, ...its(...steps))).toMatchObject(isUndecided);
});

test('a rule that a destroy registers and then deletes is gone', () => {
  const steps = its({ op: 'same', before: DENY, after: DENY }, { op: 'delete', before: DENY });
  expect(outcome(...DENIED, ...steps)).toMatchObject(isOpened);
});

test('a destroy that runs the program takes the options of an object from it', () => {
  const [same, end] = its({ op: 'same', before: DENY, after: DENY }, { op: 'delete', before: DENY });
  const retained = { ...end, state: { retainOnDelete: true } } as MadeResource;
  expect(outcome(...DENIED, ...(same ? [same, retained] : []))).toMatchObject(isUnchanged);
});

test('a create that a destroy leaves out is nothing, before or after', () => {
  const skipped = its({ op: 'same', before: ALLOW_ALL, after: ALLOW_ALL, state: { id: '' } });
  const created = policyRule('all', { after: ALLOW_ALL });
  expect(outcome(...skipped, created)).toMatchObject(isOpened);
});

describe('a deny that is deletedWith another rule', () => {
  const WITH = { deletedWith: `${URN}target` };

  test('and retained: it stays live, although its target stays in the stack', () => {
    const staying = kept('target', rule('203.0.113.0/24'));
    const ends = (state: object) => its({ op: 'delete', before: DENY, state: { ...WITH, ...state } });
    expect(outcome(...DENIED, staying, ...ends({ retainOnDelete: true }))).toMatchObject(isUnchanged);
    expect(outcome(...DENIED, staying, ...ends({}))).toMatchObject(isOpened);
  });

  const target = (...steps: Step[]): MadeResource[] =>
    its(...steps).map((step) => ({ before: rule('203.0.113.0/24'), ...step, name: 'target' }));
  const first = { pendingReplacement: true };
  const last = { delete: true };
  const again = { after: rule('203.0.113.0/24') };
  /** Replaced, deleted before or after its successor is made; flags are only in some steps. */
  const replaced = (before: RuleInputs, again: RuleInputs): Step[] => [
    { op: 'delete-replaced', before, state: { ...WITH } },
    { op: 'replace', before, after: again, state: { ...WITH, ...first } },
    { op: 'create-replacement', before, after: again, state: WITH },
  ];
  const replacedLast = (before: RuleInputs, again: RuleInputs): Step[] => [
    { op: 'create-replacement', before, after: again, state: WITH },
    { op: 'replace', before, after: again, state: { ...WITH, ...last } },
    { op: 'delete-replaced', before, state: WITH },
  ];
  const [own, moved] = [rule('203.0.113.0/24'), rule('192.0.2.0/24', 'deny')];
  const leaving = its({ op: 'delete', before: DENY, state: WITH });
  const [midway, atEnd] = [its(...replaced(DENY, moved)), its(...replacedLast(DENY, moved))];
  const former = { newState: { urn: `${URN}new` }, state: { urn: `${URN}target` } };
  const renamed = target({ op: 'same', ...again, ...former }).map((step) => ({ ...step, name: 'new' }));
  const leftover = target({ op: 'delete-replaced', state: { id: 'left', ...last } });
  const unknown = { newState: { external: true }, state: last };
  const lookedUp = target({ op: 'replace', after: {}, ...unknown }, { op: 'delete-replaced', state: last });

  test.each<[string, readonly MadeResource[], 'goes' | 'stays' | 'not known']>([
    ['both leave', [...target({ op: 'delete' }), ...leaving], 'stays'],
    ['the other stays', [...target({ op: 'same', ...again }), ...leaving], 'goes'],
    ['the other is updated', [...target({ op: 'update', ...again }), ...leaving], 'goes'],
    ['the other is renamed', [...renamed, ...leaving], 'goes'],
    ['the other is replaced, deleted first', [...target(...replaced(own, own)), ...leaving], 'not known'],
    ['the other is replaced, made first', [...target(...replacedLast(own, own)), ...leaving], 'stays'],
    ['both are replaced, deleted first', [...target(...replaced(own, own)), ...midway], 'not known'],
    [
      'the other is made first, this one deleted first',
      [...target(...replacedLast(own, own)), ...midway],
      'goes',
    ],
    ['both are made first', [...target(...replacedLast(own, own)), ...atEnd], 'stays'],
    ['the other leaves, this one is deleted first', [...target({ op: 'delete' }), ...midway], 'goes'],
    ['the other has a leftover', [...target({ op: 'same', ...again }), ...leftover, ...leaving], 'stays'],
    [
      'the other is replaced and has a leftover',
      [...target(...replaced(own, own)), ...leftover, ...midway],
      'not known',
    ],
    ['the other may only be looked up', [...lookedUp, ...leaving], 'not known'],
    ['the other is in no step', leaving, 'not known'],
  ])('%s: the deny %s', (_, resources, expected) => {
    expect(endOf(...DENIED, ...resources)).toBe(expected);
  });

  test('that of one object leaves the others decided, and is said', () => {
    const report = judged(
      ...DENIED,
      ...leaving,
      policyRule('late', { after: rule('203.0.113.0/24', 'deny', 'ipp_2') }),
    );
    expect(report.verdict).toMatchObject({ outcome: 'findings' });
    expect(told(report).join()).toContain('the effect of "it" depends on whether the run deletes it');
  });

  test('one that stays is named', () => {
    expect(newIds(judged(...DENIED, ...target({ op: 'delete' }), ...leaving))).toContain('left-on-service');
  });
});
