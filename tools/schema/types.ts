import { ACTION_TYPE } from '../../provider/src/fields/kinds';
import { ACTIONS } from '../../provider/src/values/action';
import { docsOf } from './docstrings';

/** The types that resources and functions refer to. */
export function typeSpecs(): Record<string, object> {
  const rule = docsOf('program/rule-set-args.ts', 'IpPolicyRuleSetRuleArgs');
  const listed = docsOf('program/rule-set-args.ts', 'IpPolicyRuleSetListedRuleArgs');
  const text = (description: string | undefined): object => ({
    type: 'string',
    description: description ?? '',
  });
  const properties = {
    action: { ...ACTION_TYPE, description: rule.members.get('action') ?? '' },
    description: text(rule.members.get('description')),
    metadata: text(rule.members.get('metadata')),
    until: text(rule.members.get('until')),
  };
  return {
    'edge-policy:index:Action': {
      type: 'string',
      description: 'What a rule does with its source.',
      enum: ACTIONS.map((value) => ({ name: value === 'allow' ? 'Allow' : 'Deny', value })),
    },
    'edge-policy:index:IpPolicyRuleSetListedRule': {
      type: 'object',
      description: 'One rule of an `IpPolicyRuleSet`, as programs pass and read it.',
      properties: { cidr: text(listed.members.get('cidr')), ...properties },
      required: ['cidr', 'action'],
    },
    'edge-policy:index:IpPolicyRuleResult': ruleResult(),
  };
}

function ruleResult(): object {
  const { members } = docsOf('program/ip-policy-rule.ts', 'IpPolicyRule');
  const names = ['id', 'cidr', 'action', 'ipPolicyId', 'description', 'metadata', 'uri', 'createdAt'];
  const described = (name: string): object => ({
    ...(name === 'action' ? ACTION_TYPE : { type: 'string' }),
    description: name === 'id' ? 'The id of the rule, `ipr_…`.' : (members.get(name) ?? ''),
  });
  return {
    type: 'object',
    description: 'A rule as the functions return it.',
    properties: Object.fromEntries(names.map((name) => [name, described(name)])),
    required: names.filter((name) => name !== 'description' && name !== 'metadata'),
  };
}
