// What for: one IP policy rule (API document 2.1): fields, limits, body, equality, state, name.
// Must not know: `rule-set`, `resources`, `api`, and who declares the rule.
import {
  type AnyField,
  bodyOf,
  changedFields,
  fieldsOf,
  type FieldTable,
  isSameValue,
  keepEqualText,
  patchOf,
  type Properties,
  type RequestBody,
} from '../fields/field';
import { actionField, cidrField, identifierField, limitedTextField, settingField } from '../fields/kinds';
import type { RuleAction } from '../values/action';
import { canonicalCidr, isCidr, sameCidr } from '../values/cidr';
import { byteLimitProblem } from '../values/text-limits';

/** The texts of a rule. Those that are not set are absent. What is said here of one, programs and the schema say too. */
export interface RuleTexts {
  /**
   * A description of the sources, for people. Optional, at most 255 bytes in UTF-8; an empty text counts as none. Changing it
   * updates the rule; removing it clears the text.
   */
  readonly description?: string;
  /**
   * Your own data, for machines. Optional, at most 4096 bytes in UTF-8; an empty text counts as none. Changing it updates the
   * rule; removing it clears the data.
   */
  readonly metadata?: string;
}

export type RuleText = keyof RuleTexts;

/** The limits of the texts, in bytes of UTF-8. The first text is the one for people. */
const TEXT_LIMITS_BYTES: Readonly<Record<RuleText, number>> = { description: 255, metadata: 4096 };

export const RULE_TEXTS = Object.keys(TEXT_LIMITS_BYTES) as RuleText[];

/** A field that a program gives for each rule of a set. */
export type RuleField = 'cidr' | 'action' | RuleText | 'until' | 'list';

export const RULE_FIELDS: readonly RuleField[] = ['cidr', 'action', ...RULE_TEXTS, 'until', 'list'];

/** The content of a rule, its network in canonical text. */
export interface Rule extends RuleTexts {
  readonly cidr: string;
  readonly action: RuleAction;
}

/** A rule of a set, which leaves the rule out once it has ended. */
export interface SetRule extends Rule {
  /** When the rule ends, in the canonical text of `values/until.ts`. No request contains it, as the service does not know it. */
  readonly until?: string;
  /** The named list that the rule is from. No request contains it, either. */
  readonly list?: string;
}

export interface PolicyRule extends Rule {
  /** Written `ip_policy_id` in requests. */
  readonly ipPolicyId: string;
}

/** A rule that the service holds, reduced to what a set remembers. */
export interface LiveRule extends SetRule {
  readonly id: string;
  /** RFC 3339. Absent if the rule is from state. */
  readonly createdAt?: string;
}

export interface ServiceRule extends PolicyRule, LiveRule {
  readonly uri: string;
  /** RFC 3339. */
  readonly createdAt: string;
}

/** A change of a rule in place: the changed fields only; `""` clears a text. */
export type RuleChange = RequestBody;

const textField = (name: RuleText) =>
  ({ ...limitedTextField(TEXT_LIMITS_BYTES[name]), wire: name, onChange: 'update' }) as const;

type TextFields = Readonly<Record<RuleText, ReturnType<typeof textField>>>;

/** Why a text cannot be that of a rule, without quoting it; undefined if it can. */
export const textProblem = (name: RuleText, text: string): string | undefined =>
  byteLimitProblem(text, TEXT_LIMITS_BYTES[name]);

/** The fields of a rule that the service knows. */
export const ruleFields: FieldTable<PolicyRule> = {
  cidr: { ...cidrField, wire: 'cidr', isRequired: true, onChange: 'update' },
  action: { ...actionField, wire: 'action', isRequired: true, onChange: 'replace' },
  ipPolicyId: { ...identifierField('ipPolicy'), wire: 'ip_policy_id', isRequired: true, onChange: 'replace' },
  ...(Object.fromEntries(RULE_TEXTS.map((name) => [name, textField(name)])) as TextFields),
};

export const createBody = (rule: PolicyRule): RequestBody => bodyOf(ruleFields, rule);

/** The change that turns one rule into another, as far as the service changes a rule in place. */
export const changeBetween = (from: Rule, to: Rule): RuleChange =>
  changeOf(changedFields(changeableFields, from, to), to);

export const changeOf = (names: readonly string[], to: Rule): RuleChange =>
  patchOf(changeableFields, names, to);

const changeableFields = Object.fromEntries(
  Object.entries(ruleFields).filter(([, { onChange }]) => onChange === 'update'),
);

/** The texts that `read` finds; empty ones count as absent. */
export function pickTexts(read: (name: RuleText) => string | undefined): RuleTexts {
  const texts: Partial<Record<RuleText, string>> = {};
  for (const name of RULE_TEXTS) {
    const text = read(name);
    if (text !== undefined && text !== '') texts[name] = text;
  }
  return texts;
}

/** What a rule holds besides the network, action and policy that make its place. */
export type RuleDetails = Omit<Rule, 'cidr' | 'action'>;

const PLACE: readonly string[] = ['cidr', 'action', 'ipPolicyId'];
const details = fieldsOf(ruleFields).filter(([name]) => !PLACE.includes(name));

const isSameDetail = ([name, field]: [string, AnyField], a: Properties, b: Properties): boolean =>
  isSameValue(field, a[name] ?? field.defaultValue, b[name] ?? field.defaultValue);

/** The details that are not what they are by default. */
export const detailsOf = (rule: RuleDetails): RuleDetails =>
  Object.fromEntries(
    details
      .filter((detail) => !isSameDetail(detail, rule as Properties, {}))
      .map(([name]) => [name, (rule as Properties)[name]]),
  );

const hasSameDetails = (a: RuleDetails, b: RuleDetails): boolean =>
  details.every((detail) => isSameDetail(detail, a as Properties, b as Properties));

export const differingFields = (a: Rule, b: Rule): readonly string[] =>
  changedFields(ruleFields, a, b).filter((name) => name !== 'ipPolicyId');

export const isSameRule = (a: Rule, b: Rule): boolean =>
  a.action === b.action && sameCidr(a.cidr, b.cidr) && hasSameDetails(a, b);

export const isSameInPolicy = (a: PolicyRule, b: PolicyRule): boolean =>
  a.ipPolicyId === b.ipPolicyId && isSameRule(a, b);

/** Whether two rules have the same network and policy: the service may refuse the second one. */
export const isSameNetwork = (a: Omit<PolicyRule, 'action'>, b: Omit<PolicyRule, 'action'>): boolean =>
  a.ipPolicyId === b.ipPolicyId && sameCidr(a.cidr, b.cidr);

export const networkKey = ({ ipPolicyId, cidr }: Omit<PolicyRule, 'action'>): string =>
  `${ipPolicyId} ${canonicalCidr(cidr)}`;

/** Equal for rules with the same policy, action and network: the service may refuse the second one. */
export const duplicateKey = ({ ipPolicyId, action, cidr }: Omit<PolicyRule, RuleText>): string =>
  `${ipPolicyId} ${action} ${canonicalCidr(cidr)}`;

// Names of rules contain no text that could be secret.

export const nameOfRule = ({ action, cidr }: Pick<Rule, 'action' | 'cidr'>): string => `${action} ${cidr}`;

/** A live rule in words; a service may send any text instead of a network. */
export const nameOfLiveRule = ({ id, action, cidr }: LiveRule): string =>
  `${id} (${action} ${isCidr(cidr) ? cidr : `not a network: ${cidr}`})`;

export const nameWithAge = (rule: ServiceRule): string =>
  `${rule.id} (${nameOfRule(rule)}, created ${rule.createdAt})`;

export interface IpPolicyRuleInputs extends PolicyRule {
  readonly overwriteExisting?: boolean;
}

export interface IpPolicyRuleState extends IpPolicyRuleInputs {
  readonly uri: string;
  readonly createdAt: string;
}

export const ipPolicyRuleFields: FieldTable<IpPolicyRuleInputs> = {
  ...ruleFields,
  overwriteExisting: settingField,
};

/** What state holds of a rule besides its fields: the service decides it when it creates the rule. */
export const ipPolicyRuleOutputs = { uri: [], createdAt: [] } as const;

export const ipPolicyRuleState = ({ id: _id, ...live }: ServiceRule, prior: object = {}): IpPolicyRuleState =>
  keepEqualText(ipPolicyRuleFields, prior, live);
