// What the review makes of each field of a rule: it decides who gets in, or it is an amount and nothing else.
import { differencesOf } from '../../../cli/src/drift/differences';
import { changedRules } from '../../../review/src/model/changed-rules';
import { resourceChanges } from '../../../review/src/model/resource-change';
import { type PolicyRule, RULE_TEXTS, type RuleText } from '../../../provider/src/rule/rule';
import { rulesInState } from '../../../provider/src/rule-set/rules-text';
import { typeToken } from '../../../provider/src/resources/provider-reference';
import { otherIn, RULE_FIELD_NAMES, ruleWith } from '../../support/rule-samples';
import { previewOf, policyRule, ruleSet, type MadeResource } from './preview-builder';
import { reviewed } from './reviewing';

/** Whether access depends on a field. Texts say nothing about it; any other field has to be decided here. */
const DECIDES_ACCESS: Readonly<Record<Exclude<keyof PolicyRule, RuleText>, boolean>> = {
  cidr: true,
  action: true,
  ipPolicyId: true,
};
const EXPECTED = new Map<string, boolean>([
  ...RULE_TEXTS.map((text) => [text, false] as const),
  ...Object.entries(DECIDES_ACCESS),
]);

const setOf = ({ ipPolicyId, ...rule }: PolicyRule): Readonly<Record<string, unknown>> => ({
  ipPolicyId,
  ...rulesInState([{ ...rule, id: 'ipr_1' }]),
});

const changesOf = (name: keyof PolicyRule): [string, MadeResource][] => {
  const [before, after] = [ruleWith(name), otherIn(name)];
  const op = name === 'ipPolicyId' ? 'replace' : 'update';
  return [
    ['a rule', policyRule('one', { op, before, after })],
    ['a set', ruleSet('set', { op, before: setOf(before), after: setOf(after) })],
  ];
};

describe.each(RULE_FIELD_NAMES)('%s', (name) => {
  test.each(changesOf(name))(
    'changed in %s: it counts as access or not, and as a change',
    (_what, change) => {
      const { verdict } = reviewed([change]);
      expect([name, verdict.affectsAccess]).toEqual([name, EXPECTED.get(name)]);
      expect(changedRules(resourceChanges(previewOf(change).steps))).toHaveLength(1);
    },
  );

  test('edited on the service: drift names it', () => {
    const resource = { urn: 'urn:pulumi:dev::acme::x::one', type: typeToken('IpPolicyRule') };
    const found = differencesOf({ resource, known: { ...ruleWith(name) }, live: { ...otherIn(name) } });
    expect(found).toMatchObject([{ kind: 'changed', property: name }]);
  });

  if (name === 'ipPolicyId') return;

  test('edited on the service in a rule of a set: drift shows both', () => {
    const resource = { urn: 'urn:pulumi:dev::acme::x::set', type: typeToken('IpPolicyRuleSet') };
    const found = differencesOf({ resource, known: setOf(ruleWith(name)), live: setOf(otherIn(name)) });
    expect(found).toHaveLength(1);
    const values: unknown[] = [ruleWith(name)[name], otherIn(name)[name]];
    for (const value of values.filter((each) => typeof each === 'string'))
      expect(JSON.stringify(found)).toContain(value);
  });
});
