// What the review needs of a kind of module, and of a field: whatever is forgotten fails a test of this file.
import { MODULE_TYPES, type ModuleType } from '../../../provider/src/resources/provider-reference';
import { RULE_FIELDS, RULE_TEXTS } from '../../../provider/src/rule/rule';
import { isProvedUnchanged } from '../../../review/src/access/subject-access';
import { DEFAULT_CONTEXT } from '../../../review/src/findings/assumptions';
import { contentFields, identityFields, parentOf } from '../../../review/src/model/read-modules';
import { EVALUATORS, unjudgedGaps } from '../../../review/src/effects/evaluators';
import { itemsOf } from '../../../review/src/guards/planned-items';
import { moduleSamples } from '../../support/module-samples';
import { previewOf, ruleSet, stackOf, stepsOf } from './preview-builder';
import { plain } from '../../../review/src/text/escape';
import { newIds, reviewed } from './reviewing';

type Inputs = Readonly<Record<string, unknown>>;

/** Inputs of a module of any kind, which holds something in every field. */
const inputsOf = (type: ModuleType, more: Inputs = {}): Inputs => ({
  ...Object.fromEntries(identityFields(type).map((name) => [name, `id-of-${name}`])),
  ...Object.fromEntries(contentFields(type).map(([name, field]) => [name, sampleOf(field.type.output.type)])),
  ...more,
});

const sampleOf = (type: string | undefined): unknown =>
  type === 'boolean' ? true : type === 'array' ? ['anything'] : 'anything';

const moduleStep = (type: ModuleType, before?: Inputs, after?: Inputs) =>
  stepsOf(type)('module', { before, after });

describe.each(MODULE_TYPES)('%s', (type) => {
  const on = inputsOf(type);
  const off = inputsOf(type, { enabled: false });

  test.each([
    ['created', undefined, on],
    ['removed', on, undefined],
    ['switched off', on, off],
    ['switched on', off, on],
    ['created with content that is not known yet', undefined, { ...on, enabled: '[secret]' }],
  ])('no review says that one which is %s does not affect access', (_what, before, after) => {
    const { verdict } = reviewed([moduleStep(type, before, after)]);
    expect(verdict.affectsAccess).toBe(true);
  });

  test('one that stays as it is affects nobody', () => {
    expect(reviewed([moduleStep(type, on, on)]).verdict.affectsAccess).toBe(false);
  });

  test('every field that reaches the service is a part of the reviewed plan', () => {
    const [change] = stackOf(moduleStep(type, undefined, on)).changes;
    const items = itemsOf(change?.after);
    const planned = new Set(items.flatMap((item) => [...Object.keys(item), item['list']]));
    for (const [name] of contentFields(type)) expect(planned).toContain(name);
  });
});

describe.each(moduleSamples)('the evaluator of $type', ({ type, inputs }) => {
  const declared: Inputs = { enabled: true, ...inputs('sample') };
  const isUnchanged = (after: Inputs): boolean =>
    EVALUATORS[type]
      ?.evaluate(stackOf(moduleStep(type, declared, after)), DEFAULT_CONTEXT)
      .accesses.every(isProvedUnchanged) === true;

  test('proves of what only the provider reads that nobody is affected', () => {
    expect(isUnchanged({ ...declared, overwriteExisting: true })).toBe(true);
  });

  test.each(contentFields(type).map(([name]) => name))(
    'looks at %s: hidden, it may let others in',
    (name) => {
      expect(isUnchanged({ ...declared, [name]: '[secret]' })).toBe(false);
    },
  );
});

test('the plan looks at every field of a rule that is not for people', () => {
  const set = {
    ipPolicyId: 'ipp_1',
    rules: [{ cidr: '192.0.2.0/24', action: 'allow', until: '2030-01-01T00:00:00Z' }],
  };
  const [change] = stackOf(ruleSet('set', { after: set })).changes;
  const [{ subject, ...item } = { subject: '' }] = itemsOf(change?.after);
  expect(subject).toBe('ipp_1');
  expect([...Object.keys(item), ...RULE_TEXTS, 'list'].sort()).toEqual([...RULE_FIELDS].sort());
});

test('a module that no evaluator judges makes the review not decidable', () => {
  const { steps } = previewOf(...MODULE_TYPES.map((type) => moduleStep(type, undefined, inputsOf(type))));
  const [first] = MODULE_TYPES;
  expect(unjudgedGaps(steps)).toEqual([]);
  expect(unjudgedGaps(steps, { ...EVALUATORS, [first]: undefined }).map(plain)).toEqual([
    expect.stringContaining(`does not know: "${first}"`),
  ]);
});

test('one kind of module decides at each parent: of two, nothing says yet who gets past both', () => {
  const judged = MODULE_TYPES.filter((type) => EVALUATORS[type]).map(parentOf);
  expect(judged).toEqual([...new Set(judged)]);
});

test('two kinds on one edge: the oddity of the one does not pass for an old one of the other', () => {
  const [first, second] = MODULE_TYPES;
  const alike = { edgeId: 'e', routeId: 'r', enabled: false };
  const before = { ...inputsOf(first), ...alike };
  const after = { ...inputsOf(second), ...alike };
  const report = reviewed([
    { type: first, name: 'a', before },
    { type: second, name: 'b', after },
  ]);
  expect(newIds(report)).toContain('module-off');
});
