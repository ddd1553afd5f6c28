// What the review needs of a kind of module, and of a field: whatever is forgotten fails a test of this file.
import fc from 'fast-check';
import { MODULE_TYPES, type ModuleType } from '../../../provider/src/resources/provider-reference';
import { RULE_FIELDS, RULE_TEXTS } from '../../../provider/src/rule/rule';
import { cidrSetOf, intersect, sameCidrSet, subtract } from '../../../review/src/access/cidr-set';
import { boundsOver, type Possibility } from '../../../review/src/access/bounds';
import type { Assertion } from '../../../review/src/guards/assertion';
import { checkAssertions } from '../../../review/src/guards/check-assertions';
import { jointly } from '../../../review/src/access/joint-access';
import { type AddressAccess, isProvedUnchanged } from '../../../review/src/access/subject-access';
import { DEFAULT_CONTEXT } from '../../../review/src/findings/assumptions';
import { contentFields, identityFields, parentOf } from '../../../review/src/model/read-modules';
import { resourceChanges } from '../../../review/src/model/resource-change';
import { stackChangeOf } from '../../../review/src/model/snapshot';
import { EVALUATORS } from '../../../review/src/modules/evaluators';
import { undecidedModule } from '../../../review/src/modules/undecided-module';
import { itemsOf } from '../../../review/src/guards/planned-items';
import { moduleSamples } from '../../support/module-samples';
import { cidrOf } from './pinned-feeds';
import { previewOf, ruleSet } from './preview-builder';
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

const moduleStep = (type: ModuleType, before?: Inputs, after?: Inputs) => ({
  ...{ type, name: 'module' },
  ...(before && { before }),
  ...(after && { after }),
});

const stackOf = (type: ModuleType, before?: Inputs, after?: Inputs) =>
  stackChangeOf(resourceChanges(previewOf(moduleStep(type, before, after)).steps));

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
    const { verdict } = reviewed(previewOf(moduleStep(type, before, after)));
    expect(verdict.affectsAccess).toBe(true);
  });

  test('one that stays as it is affects nobody', () => {
    expect(reviewed(previewOf(moduleStep(type, on, on))).verdict.affectsAccess).toBe(false);
  });

  test('every field that reaches the service is a part of the reviewed plan', () => {
    const [change] = stackOf(type, undefined, on).changes;
    const items = itemsOf(change?.after);
    const planned = new Set(items.flatMap((item) => [...Object.keys(item), item['list']]));
    for (const [name] of contentFields(type)) expect(planned).toContain(name);
  });
});

describe.each(moduleSamples)('the evaluator of $type', ({ type, inputs }) => {
  const declared: Inputs = { enabled: true, ...inputs('sample') };
  const isUnchanged = (after: Inputs): boolean =>
    EVALUATORS[type]
      .evaluate(stackOf(type, declared, after), DEFAULT_CONTEXT)
      .accesses.every(isProvedUnchanged);

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

test('the plan looks at every field of a rule that is not a text for people', () => {
  const set = {
    ipPolicyId: 'ipp_1',
    rules: [{ cidr: '192.0.2.0/24', action: 'allow', until: '2030-01-01T00:00:00Z' }],
  };
  const [change] = resourceChanges(previewOf(ruleSet('set', { after: set })).steps);
  const [{ subject, ...item } = { subject: '' }] = itemsOf(change?.after);
  expect(subject).toBe('ipp_1');
  expect([...Object.keys(item), ...RULE_TEXTS].sort()).toEqual([...RULE_FIELDS].sort());
});

describe.each(MODULE_TYPES)('a module that nobody has evaluated yet, where a %s is', (type) => {
  const [[content, field] = []] = contentFields(type).filter(([name]) => name !== 'enabled');
  if (content === undefined) throw new Error('a module has content');
  const isList = field?.type.output.type === 'array';
  const [parentId = ''] = identityFields(type);
  const evaluate = (before?: Inputs, after?: Inputs) =>
    undecidedModule(type).evaluate(stackOf(type, before, after), DEFAULT_CONTEXT);
  const subject = identityFields(type)
    .map((name) => `id-of-${name}`)
    .join('/');
  const on = inputsOf(type);
  const off = inputsOf(type, { enabled: false });
  const other = inputsOf(type, { [content]: isList ? ['something else'] : 'something else' });
  const secret = inputsOf(type, { [content]: '[secret]' });

  test.each([
    ['its creation', undefined, on],
    ['its removal', on, undefined],
    ['other content', on, other],
    ['being switched off', on, off],
    ['a secret that may have changed', { ...secret, overwriteExisting: true }, secret],
    ['another edge', on, inputsOf(type, { [parentId]: 'other' })],
    ['a hidden edge', undefined, inputsOf(type, { [parentId]: '[secret]' })],
  ])('is not decided: %s', (_what, before, after) => {
    const findings = evaluate(before, after).changeFindings();
    expect([...new Set(findings.map(({ id }) => id))]).toEqual(['not-decidable']);
    expect(findings.map(({ where }) => where.origin?.name)).not.toContain(undefined);
  });

  test.each([
    ['it stays as it is', on, on],
    ['it is off on both sides', off, { ...other, enabled: false }],
    ['it is created switched off', undefined, off],
    ['its secret stays', secret, secret],
    ['only a switch of the provider changes', on, { ...on, overwriteExisting: true }],
  ])('affects nobody where %s', (_what, before, after) => {
    const evaluation = evaluate(before, after);
    const { accesses } = evaluation;
    expect(evaluation.changeFindings()).toEqual([]);
    expect(accesses.map(({ gained, lost }) => [gained, lost])).toEqual(accesses.map(() => [nobody, nobody]));
  });

  test('leaves open who gets in as long as it is on, and says so', () => {
    const accesses = jointly([
      ...evaluate(on, on).accesses,
      { ...accessOf([{ before: everybody, after: everybody }]), kind: parentOf(type), subject },
    ]);
    expect(accesses).toMatchObject([{ after: { surely: cidrSetOf([]), possibly: everybody } }]);
    expect(accesses.flatMap(({ doubts }) => doubts)).toHaveLength(1);
    expect(evaluate(off, off).accesses.flatMap(({ doubts }) => doubts)).toEqual([]);
  });
});

const everybody = cidrSetOf(['0.0.0.0/0', '::/0'].map(cidrOf));
const nobody = { surely: cidrSetOf([]), possibly: cidrSetOf([]) };

test('two kinds on one edge: the oddity of the one does not pass for an old one of the other', () => {
  const [first, second] = MODULE_TYPES;
  const alike = { edgeId: 'e', routeId: 'r', enabled: false };
  const before = { ...inputsOf(first), ...alike };
  const after = { ...inputsOf(second), ...alike };
  const report = reviewed(previewOf({ type: first, name: 'a', before }, { type: second, name: 'b', after }));
  expect(newIds(report)).toContain('module-off');
});

// Whoever connects has to get past every module: each way in which one can turn out meets each of the other's.
const NETWORKS = ['192.0.2.0/26', '192.0.2.64/26', '192.0.2.128/26', '2001:db8::/32'].map(cidrOf);
const anySet = fc.subarray(NETWORKS).map((networks) => cidrSetOf(networks));
const ways = fc.array(fc.record({ before: anySet, after: anySet }), { minLength: 1, maxLength: 3 });

const accessOf = (possibilities: readonly Possibility[]): AddressAccess => ({
  ...{ of: 'addresses', kind: 'tcp-edge', subject: 'edge', doubts: [] },
  ...boundsOver(possibilities),
});

test('the bounds of two modules on one edge hold whatever their hidden parts turn out to be', () => {
  fc.assert(
    fc.property(ways, ways, (left, right) => {
      const [joint] = jointly([accessOf(left), accessOf(right)]) as AddressAccess[];
      const exact = boundsOver(
        left.flatMap((one) =>
          right.map((other) => ({
            before: intersect(one.before, other.before),
            after: intersect(one.after, other.after),
          })),
        ),
      );
      for (const part of ['before', 'after', 'gained', 'lost'] as const) {
        const { surely, possibly } = joint?.[part] ?? nobody;
        expect(subtract(surely, exact[part].surely)).toEqual(nobody.surely);
        expect(subtract(exact[part].possibly, possibly)).toEqual(nobody.surely);
      }
      if (left.length + right.length > 2) return;
      for (const bound of ['surely', 'possibly'] as const)
        expect(joint && sameCidrSet(joint.gained[bound], exact.gained[bound])).toBe(true);
    }),
  );
});

test('another module of a route may keep out whom the filter lets in, so nothing is promised', () => {
  const type = 'HttpsEdgeRouteUserAgentFilterModule';
  const on = inputsOf(type, { allow: [], deny: ['curl'] });
  const stack = stackOf(type, on, on);
  const { accesses } = EVALUATORS[type].evaluate(stack, DEFAULT_CONTEXT);
  const [subject = ''] = accesses.map((access) => access.subject);
  const wget: Assertion = {
    ...{ kind: 'user-agent', subject: { isKnown: true, value: subject }, expectation: 'allow' },
    target: 'Wget/1.3',
  };
  const outcomes = (enabled: boolean) => {
    const other = inputsOf(type, { enabled });
    const barrier = undecidedModule(type).evaluate(stackOf(type, other, other), DEFAULT_CONTEXT);
    const { assumptions } = DEFAULT_CONTEXT;
    const all = [...accesses, ...barrier.accesses];
    const checked = { policies: [], accesses: all, after: stack.after, assumptions };
    return checkAssertions([wget, { ...wget, expectation: 'deny' }], checked).map(({ outcome }) => outcome);
  };
  expect(outcomes(true)).toEqual(['not-checked', 'fails']);
  expect(outcomes(false)).toEqual(['holds', 'fails']);
});

test('other edges, policies and routes stay as they are', () => {
  const all = [
    accessOf([{ before: nobody.surely, after: nobody.surely }]),
    { ...accessOf([{ before: nobody.surely, after: nobody.surely }]), subject: 'other' },
    { ...accessOf([{ before: nobody.surely, after: nobody.surely }]), kind: 'policy' as const },
  ];
  expect(jointly(all)).toEqual(all);
});
