import type { LiveRule, SetRule } from '../rule/rule';
import { withLeftOut } from './rule-ends';
import { parseRules, rulesInState, type RulesInState } from './rules-text';

/** The inputs of a set as check returns them. */
export interface IpPolicyRuleSetInputs {
  readonly ipPolicyId: string;
  /** The canonical text of the rules; see `rules-text.ts`. */
  readonly rules: string;
  readonly exclusive: boolean;
  readonly overwriteExisting?: boolean;
}

/** The state of a set. */
export interface IpPolicyRuleSetState extends IpPolicyRuleSetInputs, RulesInState {
  /**
   * When the set last created or took over a rule, or may have done so, by the clock of the service: lists may not show younger
   * rules yet.
   */
  readonly changedAt?: string;
  /** Set after a run in which an answer was lost for good: from then on the service may hold more rules than state. */
  readonly unsettledSince?: string;
  /**
   * The rules whose creates were lost then, one `CIDR action` per line. Their texts are omitted, as they may be secret, and the
   * engine decides by the name of a property whether to encrypt it.
   */
  readonly unsettledRules?: string;
}

/** Always secret in state: these properties repeat parts of `rules`, and hosts never learn whether those are secret. */
export const SECRET_IN_STATE: readonly string[] = ['unsettledRules'];

/** The rules that a set should have. */
export const declaredRules = ({ rules }: IpPolicyRuleSetInputs): SetRule[] => parseRules(rules);

/** The state of a set with these live rules, and the rules that a text leaves out. */
export function ruleSetState(
  settings: Omit<IpPolicyRuleSetState, keyof RulesInState>,
  live: readonly LiveRule[],
  text = '',
): IpPolicyRuleSetState {
  const { rules, ruleIdList } = rulesInState(live);
  return { ...settings, rules: withLeftOut(rules, text), ruleIdList };
}
