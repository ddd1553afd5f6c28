import type { IpPolicyRuleWire } from '../../../provider/src/api/wire';
import type { StateResource } from '../../../provider/src/cli/pulumi/deployment';
import { judgeHidden } from '../../../provider/src/cli/recover/judge-hidden';
import { judgeRuleCreate, type RuleEvidence } from '../../../provider/src/cli/recover/judge-rule';
import { judgeRuleSetCreate, judgeRuleSetUpdate } from '../../../provider/src/cli/recover/judge-rule-set';
import type { Operation } from '../../../provider/src/cli/recover/verdict';
import { policyId } from '../../support/ids';
import { liveRule } from '../adopt/support/live';

const stackBegan = '2030-01-01T00:00:00Z';
const lastSuccess = '2030-01-02T00:00:00Z';
const since = '2030-01-02T00:00:01Z';
const between = '2030-01-01T12:00:00Z';
const before = '2029-12-31T23:59:58Z';

const evidence = (rules: readonly IpPolicyRuleWire[], more: Partial<RuleEvidence> = {}): RuleEvidence => ({
  rules,
  managedIds: new Map(),
  window: { stackBeganAt: Date.parse(stackBegan), operationBeganAfter: Date.parse(lastSuccess) },
  offsetMs: 0,
  twins: 0,
  isInState: false,
  takeIds: [],
  ...more,
});

const operation = (inputs: Record<string, unknown>, resource: Partial<StateResource> = {}): Operation => ({
  type: 'creating',
  resource: { urn: 'urn:pulumi:dev::p::t::office', type: 't', inputs, ...resource },
  inputs,
});

const create = operation({
  cidr: '10.0.0.0/8',
  action: 'allow',
  ipPolicyId: policyId,
  description: 'Office',
});
const made = (createdAt: string): IpPolicyRuleWire =>
  liveRule('10.0.0.0/8', { description: 'Office', createdAt });

describe('a create of a rule', () => {
  test('with one rule that is the same and young enough has happened', () => {
    const rule = made(since);
    expect(judgeRuleCreate(create, evidence([rule]))).toMatchObject({
      kind: 'take',
      id: rule.id,
      outputs: { description: 'Office', uri: rule.uri, createdAt: since },
    });
  });

  test.each<[string, IpPolicyRuleWire[]]>([
    ['no rule at all', []],
    ['another description', [liveRule('10.0.0.0/8', { description: 'Offices', createdAt: since })]],
    ['metadata', [liveRule('10.0.0.0/8', { description: 'Office', metadata: 'x', createdAt: since })]],
    ['another action', [liveRule('10.0.0.0/8', { description: 'Office', action: 'deny', createdAt: since })]],
    ['another network', [liveRule('10.0.0.0/9', { description: 'Office', createdAt: since })]],
    [
      'another policy',
      [liveRule('10.0.0.0/8', { description: 'Office', policyId: 'ipp_other', createdAt: since })],
    ],
    ['a rule older than the stack', [made(before)]],
  ])('with %s has never happened', (_what, rules) => {
    expect(judgeRuleCreate(create, evidence(rules)).kind).toBe('clear');
  });

  test.each<[string, IpPolicyRuleWire[], Partial<RuleEvidence>]>([
    ['two rules that could be it', [made(since), made(since)], {}],
    ['a rule from before the last successful run', [made(between)], {}],
    ['a rule of unknown age', [made('yesterday')], {}],
    ['another interrupted create of the same rule', [made(since)], { twins: 1 }],
    ['a resource in the state and a second rule', [made(since)], { isInState: true }],
  ])('with %s is refused, and every candidate named', (_what, rules, more) => {
    const verdict = judgeRuleCreate(create, evidence(rules, more));
    expect(verdict.kind).toBe('refuse');
    expect(verdict.kind === 'refuse' && verdict.candidates.join()).toMatch(
      new RegExp(rules.map(({ id }) => `${id} `).join('.*')),
    );
    expect(JSON.stringify(verdict)).not.toContain('Office');
  });

  test('takes the candidate that the operator names, and nothing that is no candidate', () => {
    const [one, two] = [made(since), made(between)];
    expect(judgeRuleCreate(create, evidence([one, two], { takeIds: [two.id] }))).toMatchObject({
      id: two.id,
    });
    const stranger = liveRule('10.9.0.0/16');
    const takeIds = [stranger.id];
    expect(judgeRuleCreate(create, evidence([one, two, stranger], { takeIds })).kind).toBe('refuse');
  });

  test('never takes a rule that the stack manages already', () => {
    const rule = made(since);
    expect(judgeRuleCreate(create, evidence([rule], { managedIds: new Map([[rule.id, 'urn']]) })).kind).toBe(
      'clear',
    );
  });

  test('is judged by the clock of the service, whose seconds may be whole', () => {
    const window = { stackBeganAt: NaN, operationBeganAfter: Date.parse('2030-01-02T00:00:00.900Z') };
    const ofTheSameSecond = made('2030-01-02T00:00:00Z');
    expect(judgeRuleCreate(create, evidence([ofTheSameSecond], { window })).kind).toBe('take');
    expect(judgeRuleCreate(create, evidence([ofTheSameSecond], { window, offsetMs: 5_000 })).kind).toBe(
      'refuse',
    );
  });

  test('keeps secrets as the state has them: encrypted', () => {
    const secret = {
      '4dabf18193072939515e22adb298388d': '1b47061264138c4ac30d75fd1eb44270',
      ciphertext: 'v1:x',
    };
    const encrypted = {
      ...create,
      resource: { ...create.resource, inputs: { ...create.inputs, description: secret } },
    };
    expect(judgeRuleCreate(encrypted, evidence([made(since)]))).toMatchObject({
      outputs: { description: secret },
    });
  });
});

const rulesText = (...cidrs: string[]): string =>
  ['@rules', ...cidrs.map((cidr) => `${cidr} deny`), ''].join('\n');
const deny = (cidr: string, createdAt = since): IpPolicyRuleWire =>
  liveRule(cidr, { action: 'deny', createdAt });
const setInputs = { ipPolicyId: policyId, exclusive: false, rules: rulesText('10.0.0.0/16', '10.1.0.0/16') };

describe('an operation on a set', () => {
  test('create: the rules that exist are brought in, and what they are is all that state says', () => {
    const rule = deny('10.1.0.0/16');
    expect(judgeRuleSetCreate(operation(setInputs), evidence([rule]))).toMatchObject({
      kind: 'take',
      id: expect.stringContaining(`${policyId}/`) as string,
      outputs: { ...setInputs, rules: rulesText('10.1.0.0/16'), ruleIdList: `${rule.id}\n` },
    });
  });

  test('create: without any of its rules it has never happened', () => {
    expect(judgeRuleSetCreate(operation(setInputs), evidence([deny('10.0.0.0/16', before)])).kind).toBe(
      'clear',
    );
  });

  test('create: one doubtful rule refuses the whole set, unless the set may take over what is there', () => {
    const rules = [deny('10.0.0.0/16'), deny('10.1.0.0/16', between)];
    expect(judgeRuleSetCreate(operation(setInputs), evidence(rules)).kind).toBe('refuse');
    const overwriting = operation({ ...setInputs, overwriteExisting: true });
    expect(judgeRuleSetCreate(overwriting, evidence(rules))).toMatchObject({
      outputs: { rules: rulesText('10.0.0.0/16') },
    });
  });

  test('update: rules that were made and not noted are noted before the set is read again', () => {
    const [noted, made] = [deny('10.0.0.0/16', before), deny('10.1.0.0/16')];
    const entry = {
      urn: 'u',
      type: 't',
      outputs: { ...setInputs, rules: rulesText('10.0.0.0/16'), ruleIdList: `${noted.id}\n` },
    };
    expect(judgeRuleSetUpdate(operation(setInputs), entry, evidence([noted, made]))).toMatchObject({
      kind: 'refresh',
      outputs: { rules: setInputs.rules, ruleIdList: `${noted.id}\n${made.id}\n` },
    });
    const nothingNew = judgeRuleSetUpdate(operation(setInputs), entry, evidence([noted]));
    expect(nothingNew).toMatchObject({ kind: 'refresh' });
    expect(nothingNew).not.toHaveProperty('outputs');
  });
});

describe('an operation whose inputs are secret', () => {
  const secret = {
    ...create,
    inputs: { ...create.inputs, description: '[secret]' },
    hidden: ['description'],
  };

  test('is refused where a rule is near it, and no rule is taken', () => {
    const rule = liveRule('10.0.0.0/8', { description: 'whatever', createdAt: since });
    const verdict = judgeHidden(secret, evidence([rule]));
    expect(verdict).toMatchObject({
      kind: 'refuse',
      candidates: [expect.stringContaining(rule.id) as string],
    });
    expect(JSON.stringify(verdict)).not.toContain('whatever');
  });

  test.each<[string, IpPolicyRuleWire[]]>([
    ['for another network', [liveRule('10.1.0.0/16', { createdAt: since })]],
    ['of another policy', [liveRule('10.0.0.0/8', { policyId: 'ipp_other', createdAt: since })]],
    ['older than the stack', [made(before)]],
  ])('has never happened where the only rule is %s', (_what, rules) => {
    expect(judgeHidden(secret, evidence(rules)).kind).toBe('clear');
  });

  test('and whose network is secret too is near every rule of its policy', () => {
    const all = { ...secret, inputs: { ipPolicyId: policyId, rules: '[secret]' } };
    expect(judgeHidden(all, evidence([deny('10.0.0.0/16')])).kind).toBe('refuse');
  });
});
