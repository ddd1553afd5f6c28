import type { ServiceRule } from '../../../provider/src/rule/rule';
import type { StateResource } from '../../../cli/src/pulumi/deployment';
import { expectedRules } from '../../../cli/src/recover/expected-objects';
import { matchCreates } from '../../../cli/src/recover/match-creates';
import { entryOf, type Operation } from '../../../cli/src/recover/interrupted-operations';
import { type RecoveryVerdict, verdictOn } from '../../../cli/src/recover/recovery-verdict';
import { rulesInState } from '../../../provider/src/rule-set/rules-text';
import { policyId } from '../../support/ids';
import { liveRule } from '../adopt/support/live';
import { secretOf } from '../../support/state-resource';

const ruleType = 'pulumi-nodejs:dynamic/edge-policy:IpPolicyRule';
const setType = 'pulumi-nodejs:dynamic/edge-policy:IpPolicyRuleSet';
const secret = secretOf('Office');
const lastSuccess = '2030-01-02T00:00:00Z';
const since = '2030-01-02T00:00:01Z';
const before = '2030-01-01T12:00:00Z';

interface Scene {
  readonly resources?: readonly StateResource[];
  readonly takeIds?: readonly string[];
  readonly beganAtMs?: number;
}

/** The verdicts on operations that were interrupted together, in their order. */
const judgeTogether = (
  operations: readonly Operation[],
  rules: readonly ServiceRule[],
  { resources = [], takeIds = [], beganAtMs = Date.parse(lastSuccess) }: Scene = {},
): RecoveryVerdict[] => {
  const deployment = { manifest: { time: '' }, resources, pendingOperations: [] };
  const expected = expectedRules(operations, rules, { beganAtMs, deployment });
  const outcomes = matchCreates(expected, takeIds);
  return operations.map((operation) => {
    const own = expected.flatMap((one) => (one.operation === operation ? (outcomes.get(one) ?? []) : []));
    return verdictOn(operation, own, entryOf(operation, deployment));
  });
};

const judgeOne = (operation: Operation, rules: readonly ServiceRule[], scene?: Scene): RecoveryVerdict =>
  judgeTogether([operation], rules, scene)[0] ?? { kind: 'refuse', why: 'no verdict', candidates: [] };

const operation = (inputs: Record<string, unknown>, resource: Partial<StateResource> = {}): Operation => {
  const whole = { urn: 'urn:pulumi:dev::p::t::office', type: ruleType, inputs, ...resource };
  return { type: 'creating', resource: whole, inputs };
};

const kinds = (verdicts: readonly RecoveryVerdict[]): string[] => verdicts.map(({ kind }) => kind);
const ids = (verdicts: readonly RecoveryVerdict[]): (string | undefined)[] =>
  verdicts.map((verdict) => (verdict.kind === 'take' ? verdict.id : undefined));

const office = { cidr: '10.0.0.0/8', action: 'allow', ipPolicyId: policyId, description: 'Office' };
const create = operation(office);
const made = (createdAt = since): ServiceRule => liveRule('10.0.0.0/8', { description: 'Office', createdAt });
const edited = (more: Parameters<typeof liveRule>[1]): ServiceRule =>
  liveRule('10.0.0.0/8', { description: 'Office', createdAt: since, ...more });

describe('a create of a rule', () => {
  test('has happened if one rule is the same and young enough, whatever other rule its network has', () => {
    const rule = made();
    for (const others of [[], [edited({ action: 'deny' })]])
      expect(judgeOne(create, [rule, ...others])).toMatchObject({
        kind: 'take',
        id: rule.id,
        outputs: { description: 'Office', uri: rule.uri, createdAt: since },
      });
  });

  test.each<[string, ServiceRule[]]>([
    ['no rule at all', []],
    ['another network', [liveRule('10.0.0.0/9', { description: 'Office', createdAt: since })]],
    ['another policy', [edited({ policyId: 'ipp_other' })]],
  ])('with %s has never happened', (_what, rules) => {
    expect(judgeOne(create, rules).kind).toBe('clear');
  });

  test.each<[string, ServiceRule[], Scene]>([
    ['two rules that could be it', [made(), made()], {}],
    ['a young rule and an old one', [made(), made(before)], {}],
    ['a rule from before the last successful run', [made(before)], {}],
    ['a rule of unknown age', [made('yesterday')], {}],
    ['nothing that says when it began', [made()], { beganAtMs: NaN }],
    ['another description', [edited({ description: 'Offices' })], {}],
    ['metadata', [edited({ metadata: 'x' })], {}],
    ['another action', [edited({ action: 'deny' })], {}],
  ])('with %s is refused, and every candidate is named', (_what, rules, scene) => {
    const verdict = judgeOne(create, rules, scene);
    expect(verdict).toMatchObject({
      kind: 'refuse',
      candidates: rules.map(({ id }) => expect.stringContaining(`${id} `) as string),
    });
    expect(JSON.stringify(verdict)).not.toContain('Office');
  });

  test('takes the candidate that the operator names as it lives, and nothing that is no candidate', () => {
    for (const one of [made(before), edited({ description: 'Edited' })]) {
      expect(judgeOne(create, [made(), one], { takeIds: [one.id] })).toMatchObject({
        ...{ kind: 'take', id: one.id },
        outputs: { description: one.description, cidr: '10.0.0.0/8' },
      });
    }
    const stranger = liveRule('10.9.0.0/16');
    expect(judgeOne(create, [made(before), stranger], { takeIds: [stranger.id] }).kind).toBe('refuse');
  });

  test('never takes a rule that the stack manages already', () => {
    const rule = made();
    const resources = [{ urn: 'urn:other', type: ruleType, id: rule.id }];
    expect(judgeOne(create, [rule], { resources }).kind).toBe('clear');
    expect(judgeOne(create, [rule], { resources, takeIds: [rule.id] }).kind).toBe('clear');
  });

  test('is judged by whole seconds, as the service may have no others', () => {
    const beganAtMs = Date.parse('2030-01-02T00:00:00.900Z');
    expect(judgeOne(create, [made('2030-01-02T00:00:00Z')], { beganAtMs }).kind).toBe('take');
  });

  test('keeps secrets marked, whether they are as declared or not', () => {
    const marked = {
      ...create,
      resource: { ...create.resource, inputs: { ...office, description: secret } },
    };
    expect(judgeOne(marked, [made()])).toMatchObject({ outputs: { description: secret } });
    const other = edited({ description: 'Edited' });
    expect(judgeOne(marked, [other], { takeIds: [other.id] })).toMatchObject({
      outputs: { description: { plaintext: '"Edited"' } },
    });
  });
});

test('a list of a module is secret as a whole if one of its texts is', () => {
  const inputs = { deny: ['curl', secret], isEnabled: true };
  const type = 'pulumi-nodejs:dynamic/edge-policy:HttpsEdgeRouteUserAgentFilterModule';
  const route = { ...operation(inputs, { type }), inputs: { ...inputs, deny: ['curl', 'Office'] } };
  const candidate = {
    ...{ key: 'route', id: 'route', inWords: 'route', isSame: false, isTooOld: false },
    live: { module: { deny: ['curl', 'Office', 'wget'], isEnabled: true } },
  };
  expect(verdictOn(route, [{ kind: 'found', candidate, isToldSo: true }], undefined)).toMatchObject({
    outputs: { deny: { plaintext: '["curl","Office","wget"]' }, isEnabled: true },
  });
});

const rulesText = (...cidrs: string[]): string =>
  rulesInState(cidrs.map((cidr) => ({ cidr, action: 'deny', id: cidr }))).rules;
const deny = (cidr: string, createdAt = since): ServiceRule => liveRule(cidr, { action: 'deny', createdAt });
const setInputs = { ipPolicyId: policyId, exclusive: false, rules: rulesText('10.0.0.0/16', '10.1.0.0/16') };

const createSet = (inputs: Record<string, unknown>): Operation => operation(inputs, { type: setType });

describe('a rule that several operations could have made', () => {
  const bureau = operation(office, { urn: 'urn:pulumi:dev::p::t::bureau' });
  const officeText = rulesInState([{ cidr: '10.0.0.0/8', action: 'allow', description: 'Office', id: 'x' }]);
  const set = createSet({ ipPolicyId: policyId, exclusive: false, rules: officeText.rules });

  test.each<[string, Operation[]]>([
    ['two single rules', [create, bureau]],
    ['a set and a single rule', [set, create]],
    ['two sets', [set, { ...set }]],
    ['a create and its retry', [create, { ...create }]],
  ])('is given to none of %s without being told, and then to one', (_what, operations) => {
    const rule = made();
    expect(kinds(judgeTogether(operations, [rule]))).toEqual(['refuse', 'refuse']);
    expect(kinds(judgeTogether(operations, [rule, made()]))).toEqual(['refuse', 'refuse']);
    const told = judgeTogether(operations, [rule], { takeIds: [rule.id] });
    expect(kinds(told)).toEqual(['clear', 'take']);
  });

  test('is given once each if there are two', () => {
    const rules = [made(), made()];
    const takeIds = rules.map(({ id }) => id);
    expect(new Set(ids(judgeTogether([create, bureau], rules, { takeIds })))).toEqual(new Set(takeIds));
  });

  test('is given to the one that it fits best, and is not in the way of the other', () => {
    const retry = operation({ ...office, description: 'Bureau' });
    const rule = made();
    expect(kinds(judgeTogether([create, retry], [rule]))).toEqual(['take', 'clear']);
    expect(kinds(judgeTogether([create, retry], [rule], { takeIds: [rule.id] }))).toEqual(['take', 'clear']);
  });
});

describe('an operation on a set', () => {
  test('create: the rules that exist are brought in with their declared ends, and are all that the state then holds', () => {
    const rule = deny('10.1.0.0/16');
    const rules = setInputs.rules.replace('10.1.0.0/16: deny', '10.1.0.0/16: deny until 2026-12-31');
    const verdict = judgeOne(createSet({ ...setInputs, rules }), [rule]);
    expect(verdict).toMatchObject({
      kind: 'take',
      id: expect.stringContaining(`${policyId}/`) as string,
      outputs: { rules: '@rules\n10.1.0.0/16: deny until 2026-12-31\n', ruleIdList: `${rule.id}\n` },
    });
  });

  test('create: one doubtful rule refuses the whole set, until the operator says to take it', () => {
    for (const doubtful of [deny('10.1.0.0/16', before), liveRule('10.1.0.0/16', { createdAt: since })]) {
      const rules = [deny('10.0.0.0/16'), doubtful];
      expect(judgeOne(createSet(setInputs), rules)).toMatchObject({
        kind: 'refuse',
        candidates: [expect.stringContaining(doubtful.id) as string],
      });
      expect(judgeOne(createSet(setInputs), rules, { takeIds: [doubtful.id] })).toMatchObject({
        kind: 'take',
        outputs: { ruleIdList: rules.map(({ id }) => `${id}\n`).join('') },
      });
    }
  });

  test('update: rules that were made and not noted are noted before the set is read again', () => {
    const [noted, added] = [deny('10.0.0.0/16', before), deny('10.1.0.0/16')];
    const entry = {
      ...{ urn: create.resource.urn, type: setType },
      outputs: { ...setInputs, rules: rulesText('10.0.0.0/16'), ruleIdList: noted.id },
    };
    // A rule that has ended is sought nowhere.
    const ended = `${setInputs.rules}ended 198.51.100.7/32: deny until 2026-01-01\n`;
    const update = { ...createSet({ ...setInputs, rules: ended }), type: 'updating' };
    expect(judgeOne(update, [noted, added], { resources: [entry] })).toMatchObject({
      kind: 'refresh',
      outputs: { rules: setInputs.rules, ruleIdList: `${noted.id}\n${added.id}\n` },
    });
    const nothingNew = judgeOne(update, [noted], { resources: [entry] });
    expect(nothingNew).toMatchObject({ kind: 'refresh' });
    expect(nothingNew).not.toHaveProperty('outputs');
  });
});
