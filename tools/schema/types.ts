import { type AnyField, fieldsOf } from '../../provider/src/fields/field';
import { ipPolicyRuleOutputs, RULE_FIELDS, ruleFields } from '../../provider/src/rule/rule';
import { docsOf } from './docstrings';

/** The types that resources and functions refer to. */
export const typeSpecs = (): Record<string, object> => ({
  'edge-policy:index:IpPolicyRuleSetListedRule': listedRule(),
  'edge-policy:index:IpPolicyRuleResult': ruleResult(),
});

const TEXT = { type: 'string' };

const fieldOf = (name: string): AnyField | undefined => new Map(fieldsOf(ruleFields)).get(name);

/** The type of a rule's field as programs pass and read it; a text if the service does not have the field. */
const typeOf = (name: string): object => fieldOf(name)?.type.input ?? TEXT;

function listedRule(): object {
  const { members } = docsOf('program/rule-set-args.ts', 'IpPolicyRuleSetListedRuleArgs');
  return {
    type: 'object',
    description: 'One rule of an `IpPolicyRuleSet`, as programs pass and read it.',
    properties: Object.fromEntries(
      RULE_FIELDS.map((name) => [name, { ...typeOf(name), description: members.get(name) ?? '' }]),
    ),
    required: RULE_FIELDS.filter((name) => fieldOf(name)?.isRequired === true),
  };
}

function ruleResult(): object {
  const { members } = docsOf('program/ip-policy-rule.ts', 'IpPolicyRule');
  const fields = Object.keys(ruleFields);
  const outputs = Object.keys(ipPolicyRuleOutputs);
  const described = (name: string): [string, object] => [
    name,
    { ...typeOf(name), description: members.get(name) ?? '' },
  ];
  return {
    type: 'object',
    description: 'A rule as the functions return it.',
    properties: {
      id: { ...TEXT, description: 'The id of the rule, `ipr_…`.' },
      ...Object.fromEntries([...fields, ...outputs].map(described)),
    },
    required: ['id', ...fields.filter((name) => fieldOf(name)?.isRequired === true), ...outputs],
  };
}
