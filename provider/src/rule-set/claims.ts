import { type LiveRule, rulePlace } from '../rule/rule';
import type { Claim } from '../settle/holdings';
import { containsUnknown } from '../values/unknowns';
import { liveRulesInState, networkOfKey, readRuleLines } from './rules-text';
import type { IpPolicyRuleSetInputs, IpPolicyRuleSetState } from './set-state';

/** What a set's operation is known by in a run, from check to its end. */
export const announcedAs = ({ ipPolicyId, rules }: IpPolicyRuleSetInputs): string =>
  `${ipPolicyId} rules ${rules}`;

/** The places of the rules that a set declares and did not declare before. */
export function newPlaces(
  rulesBefore: string | undefined,
  after: IpPolicyRuleSetInputs,
): ReadonlySet<string> {
  const places = new Set(placesOf(after.ipPolicyId, after.rules));
  if (rulesBefore === undefined) return places;
  for (const place of placesOf(after.ipPolicyId, rulesBefore)) places.delete(place);
  return places;
}

/** The live rules that a set stands for and goes on declaring. */
export function keptRules(
  holder: string,
  olds: IpPolicyRuleSetState,
  news: IpPolicyRuleSetInputs,
): readonly Claim[] {
  const rules = liveRulesInState(olds).map((rule) => claimOf(holder, olds.ipPolicyId, rule));
  if (olds.rules === news.rules || containsUnknown(news.rules)) return rules;
  const places = new Set(placesOf(news.ipPolicyId, news.rules));
  return rules.filter(({ place }) => places.has(place));
}

/** What a set stands for by one of its rules. */
export const claimOf = (holder: string, ipPolicyId: string, rule: LiveRule): Claim => ({
  id: rule.id,
  place: rulePlace({ ...rule, ipPolicyId }),
  holder,
});

/** The places that a text names; at preview some of it may not be known yet. */
const placesOf = (ipPolicyId: string, rules: string): string[] =>
  (readRuleLines(rules) ?? []).flatMap(({ key, action }) =>
    action === undefined ? [] : [rulePlace({ ipPolicyId, action, cidr: networkOfKey(key) })],
  );
