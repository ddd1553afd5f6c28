import type { ServiceRule } from '../../../provider/src/rule/rule';
import type { StateResource } from '../../../provider/src/cli/pulumi/deployment';
import { type RuleEvidence, RuleList } from '../../../provider/src/cli/recover/evidence';
import { judgeRules } from '../../../provider/src/cli/recover/judge-rules';
import { settleNames } from '../../../provider/src/cli/recover/settle-names';
import type { Operation, Verdict } from '../../../provider/src/cli/recover/judged-operation';
import { rulesInState } from '../../../provider/src/rule-set/rules-text';
import { policyId } from '../../support/ids';
import { liveRule } from '../adopt/support/live';

const ruleType = 'pulumi-nodejs:dynamic/edge-policy:IpPolicyRule';
const setType = 'pulumi-nodejs:dynamic/edge-policy:IpPolicyRuleSet';
const secret = {
  '4dabf18193072939515e22adb298388d': '1b47061264138c4ac30d75fd1eb44270',
  ciphertext: 'v1:x',
};
const stackBegan = '2030-01-01T00:00:00Z';
const lastSuccess = '2030-01-02T00:00:00Z';
const since = '2030-01-02T00:00:01Z';
const between = '2030-01-01T12:00:00Z';
const before = '2029-12-31T23:59:58Z';

const evidence: RuleEvidence = {
  managedIds: new Map(),
  window: { stackBeganAt: Date.parse(stackBegan), operationBeganAfter: Date.parse(lastSuccess) },
  isRecorded: true,
  takeIds: [],
};

interface Scene {
  readonly resources?: readonly StateResource[];
  readonly managedIds?: ReadonlyMap<string, string>;
  readonly window?: RuleEvidence['window'];
  readonly takeIds?: readonly string[];
  readonly offsetMs?: number;
}

/** The verdicts on operations that were interrupted together, in their order. */
const judgeTogether = (
  operations: readonly Operation[],
  rules: readonly ServiceRule[],
  { resources = [], offsetMs = 0, ...more }: Scene = {},
): Verdict[] => {
  const deployment = { manifest: { time: '' }, resources, pendingOperations: [] };
  const list = new RuleList(rules, offsetMs);
  const { verdicts } = judgeRules(operations, {
    deployment,
    listOf: () => list,
    evidence: { ...evidence, ...more },
  });
  const judged = [...verdicts].map(([operation, verdict]) => ({ operation, verdict }));
  return settleNames(judged, deployment).map(({ verdict }) => verdict);
};

const judgeOne = (operation: Operation, rules: readonly ServiceRule[], scene?: Scene): Verdict =>
  judgeTogether([operation], rules, scene)[0] ?? { kind: 'refuse', why: 'no verdict', candidates: [] };

const operation = (inputs: Record<string, unknown>, resource: Partial<StateResource> = {}): Operation => {
  const whole = { urn: 'urn:pulumi:dev::p::t::office', type: ruleType, inputs, ...resource };
  return { type: 'creating', reference: whole.urn, resource: whole, inputs };
};

const office = { cidr: '10.0.0.0/8', action: 'allow', ipPolicyId: policyId, description: 'Office' };
const create = operation(office);
const createOther = operation(office, { urn: 'urn:pulumi:dev::p::t::bureau' });
const made = (createdAt: string): ServiceRule => liveRule('10.0.0.0/8', { description: 'Office', createdAt });

describe('a create of a rule', () => {
  test('with one rule that is the same and young enough has happened', () => {
    const rule = made(since);
    expect(judgeOne(create, [rule])).toMatchObject({
      kind: 'take',
      id: rule.id,
      outputs: { description: 'Office', uri: rule.uri, createdAt: since },
    });
  });

  test.each<[string, ServiceRule[]]>([
    ['no rule at all', []],
    ['another network', [liveRule('10.0.0.0/9', { description: 'Office', createdAt: since })]],
    [
      'another policy',
      [liveRule('10.0.0.0/8', { description: 'Office', policyId: 'ipp_other', createdAt: since })],
    ],
    ['a rule older than the stack', [made(before)]],
    ['another one older than the stack', [liveRule('10.0.0.0/8', { createdAt: before })]],
  ])('with %s has never happened', (_what, rules) => {
    expect(judgeOne(create, rules).kind).toBe('clear');
  });

  test.each<[string, ServiceRule[], Scene]>([
    ['two rules that could be it', [made(since), made(since)], {}],
    ['a rule from before the last successful run', [made(between)], {}],
    ['a rule of unknown age', [made('yesterday')], {}],
    [
      'a resource in the state and a second rule',
      [made(since)],
      { resources: [{ urn: create.resource.urn, type: ruleType, id: 'ipr_state' }] },
    ],
    [
      'another description, which somebody may have edited',
      [liveRule('10.0.0.0/8', { description: 'Offices', createdAt: since })],
      {},
    ],
    [
      'metadata, which somebody may have added',
      [liveRule('10.0.0.0/8', { description: 'Office', metadata: 'x', createdAt: since })],
      {},
    ],
    [
      'another action',
      [liveRule('10.0.0.0/8', { description: 'Office', action: 'deny', createdAt: since })],
      {},
    ],
  ])('with %s is refused, and every candidate named', (_what, rules, scene) => {
    const verdict = judgeOne(create, rules, scene);
    expect(verdict.kind).toBe('refuse');
    expect(verdict.kind === 'refuse' && verdict.candidates.join()).toMatch(
      new RegExp(rules.map(({ id }) => `${id} `).join('.*')),
    );
    expect(JSON.stringify(verdict)).not.toContain('Office');
  });

  test('takes the candidate that the operator names, and nothing that is no candidate', () => {
    const [one, two] = [made(since), made(between)];
    expect(judgeOne(create, [one, two], { takeIds: [two.id] })).toMatchObject({ id: two.id });
    const stranger = liveRule('10.9.0.0/16');
    expect(judgeOne(create, [one, two, stranger], { takeIds: [stranger.id] }).kind).toBe('refuse');
  });

  test('that was edited since comes in as it lives, once the operator says so', () => {
    const edited = liveRule('10.0.0.0/8', { description: 'Edited', createdAt: since });
    expect(judgeOne(create, [edited], { takeIds: [edited.id] })).toMatchObject({
      kind: 'take',
      id: edited.id,
      outputs: { description: 'Edited', cidr: '10.0.0.0/8' },
    });
  });

  test('that may take over what is there is left to the next up where it is in doubt, and what is there is named', () => {
    const overwriting = operation({ ...office, overwriteExisting: true });
    const rule = made(between);
    expect(judgeOne(overwriting, [rule])).toMatchObject({
      kind: 'clear',
      why: expect.stringContaining('after that, delete any that no resource manages') as string,
      candidates: [expect.stringContaining(rule.id) as string],
    });
    expect(judgeOne(overwriting, [made(since)]).kind).toBe('take');
  });

  test('never takes a rule that the stack manages already', () => {
    const rule = made(since);
    expect(judgeOne(create, [rule], { managedIds: new Map([[rule.id, 'urn']]) }).kind).toBe('clear');
  });

  test('is judged by the clock of the service, whose seconds may be whole', () => {
    const window = { stackBeganAt: NaN, operationBeganAfter: Date.parse('2030-01-02T00:00:00.900Z') };
    const ofTheSameSecond = made('2030-01-02T00:00:00Z');
    expect(judgeOne(create, [ofTheSameSecond], { window }).kind).toBe('take');
    expect(judgeOne(create, [ofTheSameSecond], { window, offsetMs: 5_000 }).kind).toBe('refuse');
  });

  test('keeps secrets as the state has them: encrypted', () => {
    const encrypted = operation(office);
    const secretive = {
      ...encrypted,
      resource: { ...encrypted.resource, inputs: { ...office, description: secret } },
    };
    expect(judgeOne(secretive, [made(since)])).toMatchObject({ outputs: { description: secret } });
    const edited = liveRule('10.0.0.0/8', { description: 'Edited', createdAt: since });
    expect(judgeOne(secretive, [edited], { takeIds: [edited.id] })).toMatchObject({
      outputs: { description: { plaintext: '"Edited"' } },
    });
  });
});

const kinds = (verdicts: readonly Verdict[]): string[] => verdicts.map(({ kind }) => kind);
const ids = (verdicts: readonly Verdict[]): (string | undefined)[] =>
  verdicts.map((verdict) => (verdict.kind === 'take' ? verdict.id : undefined));

describe('a rule that several operations could have made', () => {
  const set = operation(
    {
      ipPolicyId: policyId,
      exclusive: false,
      rules: rulesInState([{ cidr: '10.0.0.0/8', action: 'allow', description: 'Office', id: 'x' }]).rules,
    },
    { urn: 'urn:pulumi:dev::p::t::set', type: setType },
  );

  test.each<[string, Operation[]]>([
    ['two single rules', [create, createOther]],
    ['a set and a single rule', [set, create]],
    ['two sets', [set, { ...set, resource: { ...set.resource, urn: 'urn:pulumi:dev::p::t::other' } }]],
  ])('is given to none of %s without being told', (_what, operations) => {
    expect(kinds(judgeTogether(operations, [made(since)]))).toEqual(['refuse', 'refuse']);
    expect(kinds(judgeTogether(operations, [made(since), made(since)]))).toEqual(['refuse', 'refuse']);
  });

  test('is given once, and the other operation has then never happened', () => {
    const rule = made(since);
    const verdicts = judgeTogether([create, createOther], [rule], { takeIds: [rule.id] });
    expect(kinds(verdicts).sort()).toEqual(['clear', 'take']);
  });

  test('is given once each where there are two', () => {
    const rules = [made(since), made(since)];
    const takeIds = rules.map(({ id }) => id);
    const verdicts = judgeTogether([create, createOther], rules, { takeIds });
    expect(new Set(ids(verdicts))).toEqual(new Set(takeIds));
  });
});

describe('two creates of one resource, one carried along from an earlier run', () => {
  const [first, second] = [
    { ...create, reference: `${create.reference}#1` },
    { ...operation({ ...office, description: 'Bureau' }), reference: `${create.reference}#2` },
  ];
  const bureau = (createdAt: string): ServiceRule =>
    liveRule('10.0.0.0/8', { description: 'Bureau', createdAt });

  test('come to the one rule that there is', () => {
    const same = [first, { ...first, reference: second.reference }];
    expect(kinds(judgeTogether(same, [made(since)]))).toEqual(['clear', 'take']);
  });

  test('are each judged by their own inputs', () => {
    expect(kinds(judgeTogether([first, second], [made(since)]))).toEqual(['take', 'clear']);
    expect(kinds(judgeTogether([first, second], [bureau(since)]))).toEqual(['clear', 'take']);
  });

  test('never put two resources under one name: the later one is brought in, the other one is a duplicate', () => {
    const rules = [made(since), bureau(since)];
    expect(kinds(judgeTogether([first, second], rules))).toEqual(['refuse', 'take']);
    const [one] = rules;
    const told = judgeTogether([first, second], rules, { takeIds: [one?.id ?? ''] });
    expect(kinds(told)).toEqual(['take', 'refuse']);
  });
});

const rulesText = (...cidrs: string[]): string =>
  rulesInState(cidrs.map((cidr) => ({ cidr, action: 'deny', id: cidr }))).rules;
const deny = (cidr: string, createdAt = since): ServiceRule => liveRule(cidr, { action: 'deny', createdAt });
const setInputs = { ipPolicyId: policyId, exclusive: false, rules: rulesText('10.0.0.0/16', '10.1.0.0/16') };

const createSet = (inputs: Record<string, unknown>): Operation => operation(inputs, { type: setType });

describe('an operation on a set', () => {
  test('create: the rules that exist are brought in, and what they are is all that state says', () => {
    const rule = deny('10.1.0.0/16');
    expect(judgeOne(createSet(setInputs), [rule])).toMatchObject({
      kind: 'take',
      id: expect.stringContaining(`${policyId}/`) as string,
      outputs: { ...setInputs, rules: rulesText('10.1.0.0/16'), ruleIdList: `${rule.id}\n` },
    });
  });

  test('create: a rule that exists ends as it was declared, which the service does not know', () => {
    const rules = setInputs.rules.replace('10.1.0.0/16 deny', '10.1.0.0/16 deny until 2026-12-31');
    expect(judgeOne(createSet({ ...setInputs, rules }), [deny('10.1.0.0/16')])).toMatchObject({
      outputs: { rules: '@rules\n10.1.0.0/16 deny until 2026-12-31\n' },
    });
  });

  test('create: without any of its rules it has never happened', () => {
    expect(judgeOne(createSet(setInputs), [deny('10.0.0.0/16', before)]).kind).toBe('clear');
  });

  test('create: one doubtful rule refuses the whole set, unless the set may take over what is there', () => {
    const rules = [deny('10.0.0.0/16'), deny('10.1.0.0/16', between)];
    expect(judgeOne(createSet(setInputs), rules).kind).toBe('refuse');
    const overwriting = createSet({ ...setInputs, overwriteExisting: true });
    expect(judgeOne(overwriting, rules)).toMatchObject({
      outputs: { rules: rulesText('10.0.0.0/16') },
      candidates: [expect.stringContaining('10.1.0.0/16') as string],
    });
    expect(judgeOne(overwriting, rules.slice(1))).toMatchObject({
      kind: 'clear',
      candidates: [expect.stringContaining('10.1.0.0/16') as string],
    });
  });

  test('create: a rule that was edited since is in doubt, and comes in as it lives where the operator says so', () => {
    const edited = liveRule('10.0.0.0/16', { action: 'allow', createdAt: since });
    expect(judgeOne(createSet(setInputs), [edited])).toMatchObject({ kind: 'refuse' });
    expect(judgeOne(createSet(setInputs), [edited], { takeIds: [edited.id] })).toMatchObject({
      kind: 'take',
      outputs: { ruleIdList: `${edited.id}\n`, rules: expect.stringContaining('allow') as string },
    });
  });

  test('create: a set that a later run has made is not replaced by what an earlier run has left', () => {
    const resources = [{ urn: create.resource.urn, type: setType, id: 'of the later run', outputs: {} }];
    expect(judgeOne(createSet(setInputs), [deny('10.0.0.0/16')], { resources }).kind).toBe('refuse');
  });

  test('update: rules that were made and not noted are noted before the set is read again', () => {
    const [noted, made] = [deny('10.0.0.0/16', before), deny('10.1.0.0/16')];
    const entry = {
      urn: create.resource.urn,
      type: setType,
      outputs: { ...setInputs, rules: rulesText('10.0.0.0/16'), ruleIdList: noted.id },
    };
    const scene = { resources: [entry], managedIds: new Map([[noted.id, entry.urn]]) };
    const update = { ...createSet(setInputs), type: 'updating' };
    expect(judgeOne(update, [noted, made], scene)).toMatchObject({
      kind: 'refresh',
      outputs: { rules: setInputs.rules, ruleIdList: `${noted.id}\n${made.id}\n` },
    });
    const nothingNew = judgeOne(update, [noted], scene);
    expect(nothingNew).toMatchObject({ kind: 'refresh' });
    expect(nothingNew).not.toHaveProperty('outputs');
  });
});

describe('an operation whose inputs are secret', () => {
  const hidden = {
    ...create,
    inputs: { ...create.inputs, description: '[secret]' },
    hidden: ['description'],
  };

  test('is refused where a rule is near it, and no rule is taken', () => {
    const rule = liveRule('10.0.0.0/8', { description: 'whatever', createdAt: since });
    const verdict = judgeOne(hidden, [rule]);
    expect(verdict).toMatchObject({
      kind: 'refuse',
      candidates: [expect.stringContaining(rule.id) as string],
    });
    expect(JSON.stringify(verdict)).not.toContain('whatever');
  });

  test.each<[string, ServiceRule[]]>([
    ['for another network', [liveRule('10.1.0.0/16', { createdAt: since })]],
    ['of another policy', [liveRule('10.0.0.0/8', { policyId: 'ipp_other', createdAt: since })]],
    ['older than the stack', [made(before)]],
  ])('has never happened where the only rule is %s', (_what, rules) => {
    expect(judgeOne(hidden, rules).kind).toBe('clear');
  });

  test('and whose network is secret too is near every rule of its policy', () => {
    const all = { ...hidden, inputs: { ipPolicyId: policyId, rules: '[secret]' } };
    expect(judgeOne(all, [deny('10.0.0.0/16')]).kind).toBe('refuse');
  });
});
