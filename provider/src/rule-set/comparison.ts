import { hasSameDetails, type LiveRule, type Rule } from '../rule/rule';

/** A live rule and the declared one that it will become. */
export interface Change {
  readonly rule: LiveRule;
  readonly becomes: Rule;
}

/** The differences between live and declared rules. */
export interface Comparison {
  /** Other texts, or whatever else the service changes in place. */
  readonly edited: readonly Change[];
  /** Another action, which the service cannot change in place. */
  readonly flipped: readonly Change[];
  readonly removed: readonly LiveRule[];
  readonly added: readonly Rule[];
}

/** Compares by network. If several live rules have one network, the most similar stay, as many as are declared. */
export function compareRules(live: readonly LiveRule[], declared: readonly Rule[]): Comparison {
  const byNetwork = groupByNetwork(live);
  const edited: Change[] = [];
  const flipped: Change[] = [];
  const added: Rule[] = [];
  const removed: LiveRule[] = [];
  for (const becomes of declared) {
    const rules = byNetwork.get(becomes.cidr);
    const rule = rules === undefined ? undefined : likest(rules, becomes);
    if (rules === undefined || rule === undefined) added.push(becomes);
    else {
      // State may hold several rules for one network, and with the option ignoreChanges all of them are declared.
      rules.splice(rules.indexOf(rule), 1);
      if (rule.action !== becomes.action) flipped.push({ rule, becomes });
      else if (!hasSameDetails(rule, becomes)) edited.push({ rule, becomes });
    }
  }
  for (const rules of byNetwork.values()) removed.push(...rules);
  return { edited, flipped, removed, added };
}

function groupByNetwork(live: readonly LiveRule[]): Map<string, LiveRule[]> {
  const groups = new Map<string, LiveRule[]>();
  for (const rule of live) {
    const group = groups.get(rule.cidr);
    if (group === undefined) groups.set(rule.cidr, [rule]);
    else group.push(rule);
  }
  return groups;
}

function likest(rules: readonly LiveRule[], declared: Rule): LiveRule | undefined {
  const sameAction = rules.filter(({ action }) => action === declared.action);
  return sameAction.find((rule) => hasSameDetails(rule, declared)) ?? sameAction[0] ?? rules[0];
}
