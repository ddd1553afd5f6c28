import type {
  IpPolicyRuleCreateWire,
  IpPolicyRuleUpdateWire,
  IpPolicyRuleWire,
  RuleAction,
} from '../api/wire';
import { canonicalNetworkText } from './network';

/** One rule of a set, its network in canonical text. Texts that are not set are absent. */
export interface SetRule {
  readonly cidr: string;
  readonly action: RuleAction;
  readonly description?: string;
  readonly metadata?: string;
}

/** A rule that the service holds. */
export interface LiveRule extends SetRule {
  readonly id: string;
}

/** A live rule: the only mapping from the service's answer. */
export const liveRule = (rule: IpPolicyRuleWire): LiveRule => ({
  id: rule.id,
  cidr: canonicalNetworkText(rule.cidr),
  action: rule.action,
  ...(rule.description === undefined ? {} : { description: rule.description }),
  ...(rule.metadata === undefined ? {} : { metadata: rule.metadata }),
});

/** The body that creates a rule. */
export const createBody = (rule: SetRule, ipPolicyId: string): IpPolicyRuleCreateWire => ({
  cidr: rule.cidr,
  ip_policy_id: ipPolicyId,
  action: rule.action,
  ...(rule.description === undefined ? {} : { description: rule.description }),
  ...(rule.metadata === undefined ? {} : { metadata: rule.metadata }),
});

/** The body that makes one rule into another of the same action; a removed text is sent as `""`. */
export const updateBody = (from: SetRule, to: SetRule): IpPolicyRuleUpdateWire => ({
  ...(from.cidr === to.cidr ? {} : { cidr: to.cidr }),
  ...(textOf(from.description) === textOf(to.description) ? {} : { description: textOf(to.description) }),
  ...(textOf(from.metadata) === textOf(to.metadata) ? {} : { metadata: textOf(to.metadata) }),
});

/** Whether two rules say the same. */
export const isSameSetRule = (a: SetRule, b: SetRule): boolean =>
  a.cidr === b.cidr && a.action === b.action && hasSameTexts(a, b);

/** Whether two rules carry the same description and metadata. */
export const hasSameTexts = (a: SetRule, b: SetRule): boolean =>
  textOf(a.description) === textOf(b.description) && textOf(a.metadata) === textOf(b.metadata);

/** A rule in words, without any text that could be secret. */
export const nameOfRule = (rule: SetRule): string => `${rule.action} ${rule.cidr}`;

const textOf = (text: string | undefined): string => text ?? '';
