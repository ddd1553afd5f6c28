import type { RuleAction } from 'pulumi-edge-policy/internal/values/action';
import type { VisibleRule } from '../model/declarations';
import {
  doAllowsCount,
  doDeniesCount,
  getsIn,
  type IpModel,
  isDenyStronger,
  letsUnmatchedIn,
} from './evaluation-model';
import { FAMILIES, type PolicySide } from './policy-side';
import { covers, touches } from './cidr-set';

/**
 * What a rule does for who gets in: it `decides`, alone or with others; it is `shadowed`, as other rules decide the same without it;
 * it `never-matches` an address for which it would make a difference; or a hidden rule leaves that open.
 */
export type RuleEffect = 'decides' | 'shadowed' | 'never-matches' | 'undecided';

/** The effect of every visible rule of a policy. Those that have none can be removed together: nobody's fate changes. */
export function ruleEffects(side: PolicySide, model: IpModel): ReadonlyMap<VisibleRule, RuleEffect> {
  const { rules, hiddenRules, doubtfulRules } = side;
  const isOpen = hiddenRules.length > 0;
  if (doubtfulRules.length > 0) return new Map(rules.map((rule) => [rule, 'undecided']));
  const needless = needlessRules(rules, { model, isOpen });
  const idle = new Set(isOpen ? [] : idleRules(side, model));
  return new Map(
    rules.map((rule): [VisibleRule, RuleEffect] => {
      if (!needless.has(rule)) return [rule, isOpen ? 'undecided' : 'decides'];
      return [rule, idle.has(rule) ? 'never-matches' : 'shadowed'];
    }),
  );
}

interface Asked {
  readonly model: IpModel;
  /** Whether hidden rules may match any address as well. */
  readonly isOpen: boolean;
}

/**
 * The rules whose absence changes nothing, also that of all of them together: one after the other is left out if it makes no
 * difference to those that are left. The stronger action comes first, as it decides even where nothing is needed of the weaker one;
 * then the wider networks, as narrower ones that do the same say more precisely who gets in; of equal rules, the first stays.
 */
function needlessRules(rules: readonly VisibleRule[], asked: Asked): ReadonlySet<VisibleRule> {
  const needless = new Set<VisibleRule>();
  const stronger: RuleAction = isDenyStronger(asked.model) ? 'deny' : 'allow';
  for (const family of FAMILIES) {
    const own = rules.filter(({ cidr }) => cidr.family === family);
    const order = own
      .map((rule, at) => ({ rule, at }))
      .sort(
        (one, other) =>
          Number(other.rule.action === stronger) - Number(one.rule.action === stronger) ||
          one.rule.cidr.prefixLength - other.rule.cidr.prefixLength ||
          other.at - one.at,
      );
    const { counts, spanOf } = matchesOf(own);
    for (const { rule } of order) {
      const { action } = rule;
      const [begin, end] = spanOf(rule);
      let at = begin;
      while (
        at < end &&
        !matters(action, { allow: counts.allow[at] ?? 0, deny: counts.deny[at] ?? 0 }, asked)
      )
        at += 1;
      if (at < end) continue;
      needless.add(rule);
      for (at = begin; at < end; at += 1) counts[action][at] = (counts[action][at] ?? 0) - 1;
    }
  }
  return needless;
}

/** How many rules of each action match each stretch of addresses between the ends of networks. */
function matchesOf(rules: readonly VisibleRule[]) {
  const ends = rules.flatMap(({ cidr }) => [BigInt(cidr.first), BigInt(cidr.last) + 1n]);
  const places = new Map(
    [...new Set(ends)].sort((one, other) => (one < other ? -1 : 1)).map((end, at) => [end, at]),
  );
  const spanOf = ({ cidr }: VisibleRule): readonly [begin: number, end: number] => [
    places.get(BigInt(cidr.first)) ?? 0,
    places.get(BigInt(cidr.last) + 1n) ?? 0,
  ];
  const counts = { allow: new Uint32Array(places.size), deny: new Uint32Array(places.size) };
  for (const rule of rules) {
    const [begin, end] = spanOf(rule);
    for (let at = begin; at < end; at += 1) counts[rule.action][at] = (counts[rule.action][at] ?? 0) + 1;
  }
  return { counts, spanOf };
}

/** Whether the absence of one rule changes who gets in where so many match; or may change it, if hidden rules match there, too. */
function matters(
  action: RuleAction,
  counts: Readonly<Record<RuleAction, number>>,
  { model, isOpen }: Asked,
): boolean {
  if (counts[action] > 1) return false;
  const without = { ...counts, [action]: 0 };
  if (!isOpen)
    return (
      getsIn(counts.allow > 0, counts.deny > 0, model) !== getsIn(without.allow > 0, without.deny > 0, model)
    );
  const isOverruled = isDenyStronger(model)
    ? action === 'allow' && counts.deny > 0
    : action === 'deny' && counts.allow > 0;
  return !(isOverruled && doAllowsCount(model) && doDeniesCount(model));
}

/** Rules of the weaker action that the stronger one covers. */
export function overruled({ byAction, allowed, denied }: PolicySide, model: IpModel): VisibleRule[] {
  if (!doAllowsCount(model) || !doDeniesCount(model)) return [];
  return isDenyStronger(model)
    ? byAction.allow.rules.filter(({ cidr }) => covers(denied, cidr))
    : byAction.deny.rules.filter(({ cidr }) => covers(allowed, cidr));
}

/** Rules of an action that does not count, and exceptions from what no rule says. Hidden rules may give them an effect. */
export function idleRules({ byAction, allowed, denied }: PolicySide, model: IpModel): VisibleRule[] {
  if (!doAllowsCount(model)) return [...byAction.allow.rules];
  if (!doDeniesCount(model)) return [...byAction.deny.rules];
  return letsUnmatchedIn(model)
    ? byAction.allow.rules.filter(({ cidr }) => !touches(denied, cidr))
    : byAction.deny.rules.filter(({ cidr }) => !touches(allowed, cidr));
}
