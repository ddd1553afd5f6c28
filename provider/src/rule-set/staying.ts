import type { LiveRule } from '../rule/rule';
import { containsUnknown } from '../values/unknowns';
import { liveRulesInState, networkOfKey, parseIdList, readRuleLines } from './rules-text';
import type { IpPolicyRuleSetInputs, IpPolicyRuleSetState } from './set-state';

type Declared = Pick<IpPolicyRuleSetInputs, 'rules'>;

/** The ids of the rules in a set's state that it still declares. */
export function stayingIds(olds: IpPolicyRuleSetState, news: Declared): readonly string[] {
  if (olds.rules === news.rules || containsUnknown(news.rules)) return parseIdList(olds.ruleIdList);
  return staying(liveRulesInState(olds), news).map(({ id }) => id);
}

/** The rules that stay where they are; their texts may still change in place. At a preview some values may be unknown. */
export function staying(live: readonly LiveRule[], { rules }: Declared): readonly LiveRule[] {
  const actions = new Map((readRuleLines(rules) ?? []).map(({ key, action }) => [networkOfKey(key), action]));
  return live.filter(({ cidr, action }) => actions.has(cidr) && (actions.get(cidr) ?? action) === action);
}
