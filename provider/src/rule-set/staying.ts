import type { LiveRule, Rule } from '../rule/rule';
import { containsUnknown } from '../values/unknowns';
import { liveRulesInState } from './rules-text';
import { declaredRules, type IpPolicyRuleSetInputs, type IpPolicyRuleSetState } from './set-state';

/** The ids, one a line, of the rules that a set has and goes on declaring. */
export function stayingIds(olds: IpPolicyRuleSetState, news: IpPolicyRuleSetInputs): string {
  if (olds.rules === news.rules || containsUnknown(news.rules)) return olds.ruleIdList;
  return idLines(staying(liveRulesInState(olds), declaredRules(news)));
}

/** The rules that stay where they are: what they say may still change in place. */
export function staying(live: readonly LiveRule[], declared: readonly Rule[]): readonly LiveRule[] {
  const actions = new Map(declared.map(({ cidr, action }) => [cidr, action]));
  return live.filter(({ cidr, action }) => actions.get(cidr) === action);
}

/** The ids of rules, one a line. */
export const idLines = (rules: readonly LiveRule[]): string => rules.map(({ id }) => `${id}\n`).join('');
