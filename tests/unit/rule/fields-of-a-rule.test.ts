// Where each field of a rule has to be: whatever does not follow from the list in `rule/rule.ts` is named here.
import { Emulator, type RuleSeed } from '../../../emulator/src/index';
import { adoptRule, adoptRuleSet } from '../../../cli/src/adopt/plan-adoption';
import { decodeIpPolicyRule, decodeIpPolicyRuleList } from '../../../provider/src/api/decode';
import { cleanText } from '../../../provider/src/api/redact';
import { MarkedValues } from '../../../provider/src/hosts/marked-values';
import { inputsOf } from '../../../provider/src/fields/field';
import * as rules from '../../../provider/src/rule/rule';
import { ipPolicyRuleFields, ipPolicyRuleState } from '../../../provider/src/rule/rule';
import { readDeclaration } from '../../../provider/src/rule-set/declared-rules';
import { UNKNOWN_FIELDS } from '../../../provider/src/rule-set/rule-line';
import { planChanges, requestCount } from '../../../provider/src/rule-set/plan-changes';
import {
  liveRulesInState,
  parseRules,
  readRuleLines,
  rulesInState,
} from '../../../provider/src/rule-set/rules-text';
import { packageSchema } from '../../../tools/schema/schema';
import { otherIn, RULE_FIELD_NAMES, ruleWith } from '../../support/rule-samples';
import { textOf } from '../../support/workspace';

const headers = {
  authorization: 'Bearer test-key',
  'service-version': '2',
  'content-type': 'application/json',
};

/** A service that holds a rule, and what it answers. */
function service(rule: rules.PolicyRule) {
  const emulator = new Emulator();
  const ask = (method: string, target: string, body?: object): { status: number; json: unknown } => {
    const answer = emulator.answer({
      ...{ method, target, headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, json: JSON.parse(answer.text) };
  };
  const created = ask('POST', '/ip_policy_rules', rules.createBody(rule));
  return { emulator, ask, created };
}

const without = (name: string, rule: object): object =>
  Object.fromEntries(Object.entries(rule).filter(([own]) => own !== name));

interface Described {
  readonly properties: Readonly<Record<string, { readonly description?: string }>>;
}
const schema = JSON.parse(JSON.stringify(packageSchema())) as {
  readonly resources: Readonly<Record<string, Described & { inputProperties: Described['properties'] }>>;
  readonly types: Readonly<Record<string, Described>>;
};
const typeNamed = (name: string): Described['properties'] | undefined =>
  schema.types[`edge-policy:index:${name}`]?.properties;

describe.each(RULE_FIELD_NAMES)('%s', (name) => {
  const field = ipPolicyRuleFields[name];
  const wire = field.wire ?? '';
  const [rule, other] = [ruleWith(name), otherIn(name)];
  const value = rule[name];
  const isOfSets = name !== 'ipPolicyId';

  test('stands in the answers of the emulator, and in what it takes', () => {
    const { emulator, ask, created } = service(rule);
    expect(created).toMatchObject({ status: 201 });
    const live = decodeIpPolicyRule(created.json);
    const { rules: listed } = decodeIpPolicyRuleList(ask('GET', '/ip_policy_rules').json);
    for (const answered of [
      live,
      ...listed,
      decodeIpPolicyRule(ask('GET', `/ip_policy_rules/${live.id}`).json),
    ])
      expect(answered).toHaveProperty(name, value);
    // Both, as one of them may be the default.
    for (const each of [other, rule]) {
      const seed = rules.createBody(each) as unknown as RuleSeed;
      const [seeded] = emulator.seed({ rules: [seed] });
      expect(decodeIpPolicyRule(seeded)).toHaveProperty(name, each[name]);
      expect(decodeIpPolicyRule(emulator.remote.updateRule(live.id, seed))).toHaveProperty(name, each[name]);
    }
  });

  test('is in the request that changes it, and in that one only', () => {
    const change = rules.changeBetween(rule, other);
    expect(change).toEqual(field.onChange === 'update' ? { [wire]: other[name] } : {});
    expect(rules.changeOf([name], other)).toEqual(change);
    if (field.onChange !== 'update') return;
    const { ask, created } = service(rule);
    const { id } = decodeIpPolicyRule(created.json);
    const changed = ask('PATCH', `/ip_policy_rules/${id}`, change);
    expect(decodeIpPolicyRule(changed.json)).toMatchObject(other);
  });

  test('makes another rule of one that differs in it', () => {
    expect(rules.isSameInPolicy(rule, { ...rule })).toBe(true);
    expect(rules.isSameInPolicy(rule, other)).toBe(false);
    if (!isOfSets) return;
    expect(rules.isSameRule(rule, other)).toBe(false);
    expect(rules.differingFields(rule, other)).toEqual([name]);
    expect(requestCount(planChanges([{ ...rule, id: 'ipr_1' }], [rule]))).toBe(0);
    expect(requestCount(planChanges([{ ...rule, id: 'ipr_1' }], [other]))).toBeGreaterThan(0);
  });

  test('is in state, in the inputs that a refresh finds, and in the code that an import writes', () => {
    const live = decodeIpPolicyRule(service(rule).created.json);
    const state = ipPolicyRuleState(live);
    expect(state).toHaveProperty(name, value);
    expect(inputsOf(ipPolicyRuleFields, state)).toHaveProperty(name, value);
    const [alone, set] = [adoptRule(live), adoptRuleSet(live.ipPolicyId, [live])[0]];
    expect(alone).toMatchObject({
      args: { [name]: isOfSets ? value : (expect.anything() as unknown) },
      inputs: { [name]: value },
    });
    if (name === 'cidr') expect(set).toMatchObject({ args: { rules: { [rule.cidr]: {} } } });
    else if (isOfSets) expect(set).toMatchObject({ args: { rules: { [rule.cidr]: { [name]: value } } } });
  });

  test('can be told in other languages: arguments, outputs, rules of a set and results of functions say what it is', () => {
    const { inputProperties, properties } = schema.resources['edge-policy:index:IpPolicyRule'] ?? {};
    const places = { inputProperties, properties, result: typeNamed('IpPolicyRuleResult') };
    const ofSet = { rule: typeNamed('IpPolicyRuleSetListedRule') };
    for (const [place, members] of Object.entries({ ...places, ...(isOfSets && ofSet) }))
      expect([place, members?.[name]?.description ?? '']).toEqual([place, expect.stringMatching(/\w/)]);
  });

  if (!isOfSets) return;

  test('stands in the lines of a set, known or not', () => {
    const { ipPolicyId: _ipPolicyId, ...ofSet } = rule;
    const state = rulesInState([{ ...ofSet, id: 'ipr_1' }]);
    expect(liveRulesInState(state)).toEqual([{ ...ofSet, id: 'ipr_1' }]);
    const declared = readDeclaration(JSON.stringify([ofSet])).value ?? '';
    expect(parseRules(declared)).toEqual([ofSet]);
    expect(declared).toBe(state.rules);
    const open = readDeclaration(JSON.stringify([{ ...without(name, ofSet), [UNKNOWN_FIELDS]: name }]));
    expect(readRuleLines(open.value ?? '')).toMatchObject([{ open: [name] }]);
  });

  test('is refused in a rule of a set if it is of another type, without being shown', () => {
    const { ipPolicyId: _ipPolicyId, ...ofSet } = rule;
    const { failures = [] } = readDeclaration(JSON.stringify([{ ...ofSet, [name]: { odd: 'hush' } }]));
    expect(failures.map(({ path: place }) => place)).toEqual([`[0].${name}`]);
    expect(JSON.stringify(failures)).not.toContain('hush');
  });
});

describe.each(rules.RULE_TEXTS)('the text %s', (name) => {
  const rule = ruleWith(name);
  const words = typeNamed('IpPolicyRuleSetListedRule')?.[name]?.description ?? '';
  const limit = Number(/at most (\d+) bytes/.exec(words)?.[1]);
  const [longest, tooLong] = ['x'.repeat(limit), 'x'.repeat(limit + 1)];

  test('is a field of its own, with the limit that its words tell', () => {
    expect(ipPolicyRuleFields[name]).toMatchObject({ wire: name, onChange: 'update' });
    expect([limit, rules.textProblem(name, longest)]).toEqual([expect.any(Number), undefined]);
    expect(rules.textProblem(name, tooLong)).toContain(String(limit));
  });

  test('stands on the page of the rule, with its limit', () => {
    const page = textOf('docs/resources/ip-policy-rule.md');
    expect(page).toMatch(new RegExp(`^\\| \`${name}\` .*at most ${limit} bytes`, 'm'));
  });

  test('has the same limit in the emulator', () => {
    const { ask } = service(rule);
    const status = (text: string): number =>
      ask('POST', '/ip_policy_rules', rules.createBody({ ...otherIn('cidr'), [name]: text })).status;
    expect([status(tooLong), status(longest)]).toEqual([400, 201]);
  });

  test('clears by the empty text, which is the same as none', () => {
    const { ask, created } = service(rule);
    const { id } = decodeIpPolicyRule(created.json);
    const bare = without(name, rule) as rules.PolicyRule;
    const change = rules.changeBetween(rule, bare);
    expect(change).toEqual({ [name]: '' });
    expect(decodeIpPolicyRule(ask('PATCH', `/ip_policy_rules/${id}`, change).json)).not.toHaveProperty(name);
    expect(rules.isSameRule(bare, { ...bare, [name]: '' })).toBe(true);
  });

  test('of an old state is masked where a message of the service quotes it', async () => {
    const marked = new MarkedValues();
    const quoted = (): Promise<string> => Promise.resolve(cleanText('"hush" of "open"', marked.all()));
    const bags = { olds: { ...rule, [name]: 'hush' }, news: { ...rule, [name]: 'open' } };
    expect(await marked.whileConcealing(ipPolicyRuleFields, bags, quoted)).toBe('"***" of "open"');
    expect(await quoted()).toBe('"hush" of "open"');
  });
});
