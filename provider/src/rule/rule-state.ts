import { type FieldTable } from '../fields/field';
import { settingField } from '../fields/kinds';
import { keepEqualText } from '../fields/outputs';
import { type PolicyRule, ruleFields, type ServiceRule } from './rule';

/** The inputs of a rule with all values known. */
export interface IpPolicyRuleInputs extends PolicyRule {
  readonly overwriteExisting?: boolean;
}

/** The state of a rule. */
export interface IpPolicyRuleState extends IpPolicyRuleInputs {
  readonly uri: string;
  readonly createdAt: string;
}

/** Every field of the resource, said once. */
export const ipPolicyRuleFields: FieldTable<IpPolicyRuleInputs> = {
  ...ruleFields,
  overwriteExisting: settingField,
};

/** What state holds of a rule besides its fields: the service decides it when it creates the rule. */
export const ipPolicyRuleOutputs = { uri: [], createdAt: [] } as const;

export const ipPolicyRuleState = ({ id: _id, ...live }: ServiceRule, prior: object = {}): IpPolicyRuleState =>
  keepEqualText(ipPolicyRuleFields, prior, live);
