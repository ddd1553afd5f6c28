import { type CidrSet, complement, overlap } from '../access/cidr-set';
import type { ModuleDeclaration } from '../model/declarations';
import { Conditions } from './condition';
import { diffTrafficRules, type TrafficRuleChange } from './diff-traffic-rules';
import type { TrafficAssumptions } from './edge-access';
import { compile, run } from './run-program';
import { programOf } from './traffic-program';
import { type TrafficRule, trafficRulesOf } from './traffic-rules';

/** A changed rule that contributes to a gain. */
export interface EdgeContributor {
  readonly rule: TrafficRule;
  readonly kind: TrafficRuleChange['kind'];
}

/**
 * Says which changed rules contribute to a gain: those that may have kept some of it out, and those with an unknown action, which
 * may let clients in for good.
 */
export function contributorsToEdgeGain(
  sides: Readonly<Record<'before' | 'after', ModuleDeclaration>>,
  gained: CidrSet,
  assumptions: TrafficAssumptions,
): EdgeContributor[] {
  const [before, after] = [trafficRulesOf(sides.before), trafficRulesOf(sides.after)];
  if (!before || !after) return [];
  const conditions = new Conditions(assumptions.failedExpressions);
  const programFor = (rule: TrafficRule) => programOf([rule], conditions, assumptions);
  const mayKeepOut = (rule: TrafficRule) =>
    overlap(complement(run(compile(programFor(rule)), new Map()).surely), gained);
  const mayLetIn = (rule: TrafficRule) => programFor(rule).steps.some(({ kind }) => kind !== 'refuse');
  return diffTrafficRules(before, after).flatMap((change): EdgeContributor[] => {
    const { kind } = change;
    const rule = kind === 'removed' ? change.before : change.after;
    const takesPart =
      (kind !== 'added' && mayKeepOut(change.before)) || (kind !== 'removed' && mayLetIn(change.after));
    return takesPart ? [{ rule, kind }] : [];
  });
}
