import { groupBy } from './diff-traffic-rules';
import type { TrafficRule } from './traffic-rules';

/**
 * The assumption behind `traffic-rule-unreachable`: which actions end the evaluation of a phase. The API document does not say
 * it, so `--terminal-actions` changes the list.
 */
export const DEFAULT_TERMINAL_ACTIONS: readonly string[] = ['deny'];

/** A rule that is never evaluated, and the rule that ends the evaluation before it. */
export interface UnreachableRule {
  readonly rule: TrafficRule;
  readonly endedBy: TrafficRule;
}

/** The rules that follow, in their phase, one that applies to everything and ends the evaluation. */
export function unreachableRules(
  rules: readonly TrafficRule[],
  terminalActions: readonly string[],
): UnreachableRule[] {
  const endOfPhase = new Map<string, TrafficRule>();
  const unreachable: UnreachableRule[] = [];
  for (const rule of rules) {
    const endedBy = endOfPhase.get(rule.phase);
    if (endedBy) unreachable.push({ rule, endedBy });
    else if (isUnconditional(rule) && rule.actionTypes.some((type) => terminalActions.includes(type))) {
      endOfPhase.set(rule.phase, rule);
    }
  }
  return unreachable;
}

const isUnconditional = (rule: TrafficRule): boolean =>
  rule.expressions.every((expression) => expression.trim() === 'true');

/** Groups of rules of one phase that share a name. */
export function duplicateNames(rules: readonly TrafficRule[]): (readonly TrafficRule[])[] {
  // Checked first, as mostly all names differ across all phases.
  const names = new Set<string>();
  for (const { name } of rules) names.add(name);
  if (names.size === rules.length) return [];
  const named = rules.filter(({ name }) => name !== '');
  return [...groupBy(named, ({ phase }) => phase).values()].flatMap((ofPhase) =>
    [...groupBy(ofPhase, ({ name }) => name).values()].filter((group) => group.length > 1),
  );
}
