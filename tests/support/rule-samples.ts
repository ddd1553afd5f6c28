// A rule for each field, for tests that go through the fields of a rule.
import { type PolicyRule, RULE_TEXTS, ruleFields, type RuleText } from '../../provider/src/rule/rule';
import { otherPolicyId, policyId } from './ids';

/** The fields of a rule that the service knows. */
export const RULE_FIELD_NAMES = Object.keys(ruleFields) as (keyof PolicyRule)[];

/** Two values of each field. Texts have made-up ones. */
const VALUES: Readonly<Record<Exclude<keyof PolicyRule, RuleText>, readonly [unknown, unknown]>> = {
  cidr: ['198.51.100.0/24', '203.0.113.0/24'],
  action: ['allow', 'deny'],
  ipPolicyId: [policyId, otherPolicyId],
};

const samples = new Map<string, readonly [unknown, unknown]>([
  ...RULE_TEXTS.map((name) => [name, [`the ${name}`, `another ${name}`]] as const),
  ...Object.entries(VALUES),
]);

function valuesOf(name: string): readonly [unknown, unknown] {
  const values = samples.get(name);
  if (values === undefined) throw new Error(`${name}: give two values of this field in VALUES`);
  return values;
}

/** A rule with the field, and no other that it need not have: what one field lacks fails in its own name only. */
export const ruleWith = (name: keyof PolicyRule): PolicyRule => ({
  cidr: '198.51.100.0/24',
  action: 'allow',
  ipPolicyId: policyId,
  [name]: valuesOf(name)[0],
});

/** The same rule with another value of the field. */
export const otherIn = (name: keyof PolicyRule): PolicyRule => ({
  ...ruleWith(name),
  [name]: valuesOf(name)[1],
});
