import type { VisibleRule } from '../model/declarations';
import {
  doAllowsCount,
  doDeniesCount,
  type IpModel,
  isDenyStronger,
  letsUnmatchedIn,
} from './evaluation-model';
import type { PolicySide } from './policy-side';
import { redundancyOf } from './redundancy';
import { covers, touches } from './cidr-set';

/**
 * What a rule does for who gets in: it `decides`, alone or with others; it is `shadowed`, as other rules decide the same without it;
 * it `never-matches` an address for which it would make a difference; or a hidden rule leaves that open.
 */
export type RuleEffect = 'decides' | 'shadowed' | 'never-matches' | 'undecided';

/** The effect of every visible rule of a policy. */
export function ruleEffects(side: PolicySide, model: IpModel): ReadonlyMap<VisibleRule, RuleEffect> {
  const { rules, byAction, hiddenRules, doubtfulRules } = side;
  const isOpen = hiddenRules.length + doubtfulRules.length > 0;
  const effects = new Map<VisibleRule, RuleEffect>();
  const mark = (found: readonly VisibleRule[], effect: RuleEffect): void => {
    for (const rule of found) effects.set(rule, effect);
  };
  mark(rules, isOpen ? 'undecided' : 'decides');
  if (!isOpen) mark(idleRules(side, model), 'never-matches');
  if (doubtfulRules.length > 0) return effects;
  mark(overruled(side, model), 'shadowed');
  for (const { rules: own } of Object.values(byAction)) {
    const { covered, tiled } = redundancyOf(own);
    mark(covered, 'shadowed');
    mark(tiled, 'shadowed');
  }
  return effects;
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
