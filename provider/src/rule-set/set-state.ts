import type { LiveRule, SetRule } from '../rule/rule';
import { parseRules, rulesInState, type RulesInState } from './rules-text';

/** The inputs of a set as check returns them. */
export interface IpPolicyRuleSetInputs {
  readonly ipPolicyId: string;
  /** The canonical text of the rules; see `rules-text.ts`. */
  readonly rules: string;
  readonly exclusive: boolean;
  readonly overwriteExisting?: boolean;
}

/** What state holds of a set. */
export interface IpPolicyRuleSetState extends IpPolicyRuleSetInputs, RulesInState {
  /**
   * When the set last created a rule or took one over, or may have done so, by the clock of the service: lists may not show younger
   * ones yet.
   */
  readonly changedAt?: string;
  /** Set after a run in which an answer was lost for good: from then on the service may hold more than state says. */
  readonly unsettledSince?: string;
  /**
   * The rules whose creates were lost then, one `CIDR action` a line. Their texts are left out: they may be secret, and the
   * engine knows only by the name of a property what it has to encrypt.
   */
  readonly unsettledRules?: string;
}

/** What is secret in state whatever the program says: it repeats parts of `rules`, and hosts never learn what is secret. */
export const SECRET_IN_STATE: readonly string[] = ['unsettledRules'];

/** The rules that a set is to hold. */
export const declaredRules = ({ rules }: IpPolicyRuleSetInputs): SetRule[] => parseRules(rules);

/** The state of a set that stands for live rules. */
export const ruleSetState = (
  settings: Omit<IpPolicyRuleSetState, keyof RulesInState>,
  live: readonly LiveRule[],
): IpPolicyRuleSetState => ({ ...settings, ...rulesInState(live) });
