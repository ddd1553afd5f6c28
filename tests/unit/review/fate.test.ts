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
  UNKNOWN,
} from './preview-builder';
import { newIds, reviewed } from './reviewing';

const NETWORK = '198.51.100.0/24';
const DENY = rule(NETWORK, 'deny');
const ALLOW_ALL = rule('0.0.0.0/0');
const URN = 'urn:pulumi:dev::acme::pulumi-nodejs:dynamic/edge-policy:IpPolicyRule::';

type Step = Partial<Omit<MadeResource, 'name'>>;

/** The steps of the resource `it`. */
const its = (...steps: Step[]): MadeResource[] => steps.map((step) => policyRule('it', { ...step }));

const judged = (...resources: readonly MadeResource[]) =>
  reviewed(previewOf(...resources), { noNewAccess: true });
const outcome = (...resources: readonly MadeResource[]) => judged(...resources).verdict;

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
    ['IpPolicyRuleSet', { ipPolicyId: 'ipp_1', rules: `@rules\n${NETWORK} deny\n` }],
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

  test('with an id that is not known yet, it is not decidable: it may be the same', () => {
    const unknown = { newState: { external: true, id: UNKNOWN } };
    const steps = ['read-replacement', 'replace'].map((op) => lookUp(DENY, '', { op, ...unknown }));
    expect(outcome(...DENIED, ...its(...steps))).toMatchObject(isUndecided);
  });
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
  const because = { replaceReasons: ['action'] };
  /** It is replaced for itself, deleted before it is made again. */
  const head = target(
    { op: 'delete-replaced' },
    { op: 'replace', ...again, state: first, more: because },
    { op: 'create-replacement', ...again, state: first, more: because },
  );
  const dependent = target(
    { op: 'delete-replaced' },
    { op: 'replace', ...again, state: first },
    { op: 'create-replacement', ...again, state: first, more: because },
  );
  const other = head.map((step) => ({ ...step, name: 'head' }));
  const leaving = its({ op: 'delete', before: DENY, state: WITH });
  const midway = its(
    { op: 'delete-replaced', before: DENY, state: WITH },
    { op: 'replace', before: DENY, after: rule('192.0.2.0/24', 'deny'), state: { ...WITH, ...first } },
    {
      op: 'create-replacement',
      before: DENY,
      after: rule('192.0.2.0/24', 'deny'),
      state: { ...WITH, ...first },
      more: because,
    },
  );
  const stays = newIds(judged(...DENIED, ...target({ op: 'delete' }), ...leaving));

  test.each<[string, readonly MadeResource[], object]>([
    ['both leave: the deny stays', [...target({ op: 'delete' }), ...leaving], isUnchanged],
    ['the other stays: the deny goes', [...target({ op: 'same', ...again }), ...leaving], isOpened],
    ['the other is replaced, deleted first: the deny goes', [...head, ...leaving], isOpened],
    [
      'the other is replaced, made first: the deny stays',
      [
        ...target({ op: 'replace', ...again, state: last }, { op: 'delete-replaced', state: last }),
        ...leaving,
      ],
      isUnchanged,
    ],
    ['the other is replaced with a third one: the deny goes', [...other, ...dependent, ...leaving], isOpened],
    ['both are replaced, the other for itself: the deny goes', [...head, ...midway], isOpened],
    [
      'both are replaced with a third one: the deny stays',
      [...other, ...dependent, ...midway],
      { outcome: 'clear' },
    ],
    [
      'both are replaced, and with which one is not known',
      [...other, ...other.map((step) => ({ ...step, name: 'third' })), ...dependent, ...midway],
      isUndecided,
    ],
    ['the other is in no step', leaving, isUndecided],
  ])('%s', (_, resources, expected) => {
    expect(outcome(...DENIED, ...resources)).toMatchObject(expected);
  });

  test('one that stays is named', () => {
    expect(stays).toContain('left-on-service');
  });
});
