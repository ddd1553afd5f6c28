import type { CidrSet } from 'pulumi-edge-policy/internal/values/cidr-set';
import {
  complement,
  isEmptyCidrSet,
  intersect,
  subtract,
  unionAll,
} from 'pulumi-edge-policy/internal/values/cidr-set';
import { leastEdit } from '../access/attribution';
import type { TrafficPolicyDeclaration } from '../model/declarations';
import { Conditions } from './condition';
import { diffTrafficRules } from './diff';
import type { TrafficAssumptions } from './edge-access';
import { programOf } from './program';
import { compile, run } from './run-program';
import type { TrafficRule } from './traffic-rules';
import { trafficRulesOf } from './traffic-rules';

/** A rule that kept out, as it was before, addresses that get in now. */
export interface LostRefusal {
  readonly rule: TrafficRule;
  readonly kind: 'removed' | 'changed';
  /** Whom it surely kept out of those who gain. */
  readonly keptOut: CidrSet;
}

/** The rules that bring a gain about, and those that prevent it if they stay as they were. */
export interface EdgeAttribution {
  readonly causes: readonly LostRefusal[];
  readonly keep: readonly LostRefusal[];
}

/** Says which rules of a document that goes, or is changed, kept out whoever gains. */
export function attributeEdgeGain(
  sides: Readonly<Record<'before' | 'after', TrafficPolicyDeclaration>>,
  gained: CidrSet,
  assumptions: TrafficAssumptions,
): EdgeAttribution {
  const [old, now] = [trafficRulesOf(sides.before), trafficRulesOf(sides.after)];
  if (!old || !now) return { causes: [], keep: [] };
  const causes = diffTrafficRules(old, now).flatMap((change): LostRefusal[] => {
    if (change.kind === 'added' || change.kind === 'moved') return [];
    const keptOut = intersect(surelyRefusedBy(change.before, assumptions), gained);
    return isEmptyCidrSet(keptOut) ? [] : [{ rule: change.before, kind: change.kind, keptOut }];
  });
  const prevents = (kept: readonly LostRefusal[]) =>
    isEmptyCidrSet(subtract(gained, unionAll(kept.map(({ keptOut }) => keptOut))));
  // Of a document whose other rules may let somebody in for good, nobody knows what one rule prevents.
  return { causes, keep: isOnlyRefusing(now, assumptions) ? leastEdit(causes, prevents) : [] };
}

const stepsOf = (rules: readonly TrafficRule[], assumptions: TrafficAssumptions) =>
  programOf(rules, new Conditions(assumptions.failedExpressions), assumptions);

const surelyRefusedBy = (rule: TrafficRule, assumptions: TrafficAssumptions): CidrSet =>
  complement(run(compile(stepsOf([rule], assumptions)), new Map()).possibly);

const isOnlyRefusing = (rules: readonly TrafficRule[], assumptions: TrafficAssumptions): boolean =>
  // Of thousands of rules nearly all can be told by their actions.
  rules.every(
    ({ isStrange, actionTypes, actions }) =>
      !isStrange &&
      actionTypes.length === actions.length &&
      actionTypes.every((type) => type === 'deny' || type === 'log'),
  ) || stepsOf(rules, assumptions).steps.every(({ kind }) => kind === 'refuse');
