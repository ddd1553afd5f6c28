import { type CidrSet, complement, isEmptyCidrSet, overlap, subtract } from '../access/cidr-set';
import type { AddressBounds } from '../access/bounds';
import type { ModuleDeclaration } from '../model/declarations';
import { compareSides } from './compare-programs';
import { Conditions } from './condition';
import { diffTrafficRules, type TrafficRuleChange } from './diff-traffic-rules';
import type { TrafficAssumptions } from './edge-access';
import { programOf } from './traffic-program';
import { compile, run } from './run-program';
import { type TrafficRule, trafficRulesOf } from './traffic-rules';

/** A rule that, as it was before, kept out addresses that get in now. */
export interface LostRefusal {
  readonly rule: TrafficRule;
  readonly kind: 'removed' | 'changed';
  /** The addresses that it surely kept out. */
  readonly keptOut: CidrSet;
  /** The new form of the rule, if it was changed. */
  readonly after?: TrafficRule;
}

/** The rules that cause a gain, and the one that prevents it. */
export interface EdgeAttribution {
  readonly causes: readonly LostRefusal[];
  /** The one of them whose reversal alone prevents the gain, if there is one. */
  readonly edit?: LostRefusal;
}

type Sides<Value> = Readonly<Record<'before' | 'after', Value>>;

/** Says which rules of a removed or changed document kept the gained addresses out. */
export function attributeEdgeGain(
  sides: Sides<ModuleDeclaration>,
  gained: CidrSet,
  assumptions: TrafficAssumptions,
): EdgeAttribution {
  const [before, after] = [trafficRulesOf(sides.before), trafficRulesOf(sides.after)];
  if (!before || !after) return { causes: [] };
  const conditions = new Conditions(assumptions.failedExpressions);
  const lost = diffTrafficRules(before, after).flatMap((change): LostRefusal[] => {
    if (change.kind === 'added' || change.kind === 'moved') return [];
    const { before: rule, kind } = change;
    const keptOut = surelyRefusedBy([rule], assumptions, conditions);
    return [{ rule, kind, keptOut, ...(kind === 'changed' && { after: change.after }) }];
  });
  const causes = lost.filter(({ keptOut }) => overlap(keptOut, gained));
  const enough = causes.filter(({ keptOut }) => isEmptyCidrSet(subtract(gained, keptOut)));
  const edit = enough
    .slice(0, MAX_TRIED)
    .find((one) => isPrevented({ before, after }, one, { gained, assumptions }));
  return { causes, ...(edit && { edit }) };
}

/** If there are more rules, they are not tried one by one. */
const MAX_TRIED = 10;

/** Whether nobody of a gain gets in if one rule is reverted, and surely nobody else either. */
function isPrevented(
  { before, after }: Sides<Rules>,
  lost: LostRefusal,
  { gained, assumptions }: { readonly gained: CidrSet; readonly assumptions: TrafficAssumptions },
): boolean {
  const conditions = new Conditions(assumptions.failedExpressions);
  const [left, right] = [before, undone(after, lost)].map((rules) => {
    conditions.beginDocument();
    return { programs: [stepsOf(rules, assumptions, conditions)], choice: 'the only one' };
  });
  if (!left || !right) return false;
  const { gained: still } = compareSides(left, right);
  return isEmptyCidrSet(still.surely) && !overlap(gained, still.possibly);
}

/** The rules, with one of them reverted in its place. */
function undone(after: Rules, { rule, after: changed }: LostRefusal): Rules {
  if (changed) return after.map((other) => (other === changed ? rule : other));
  const place = after.findIndex(({ phase, position }) => phase === rule.phase && position >= rule.position);
  return place < 0 ? [...after, rule] : after.toSpliced(place, 0, rule);
}

/** A rule that contributes to a merely possible gain. */
export interface EdgeContributor {
  readonly rule: TrafficRule;
  readonly kind: TrafficRuleChange['kind'];
}

/**
 * Says which changed rules may contribute to a gain: those that may have kept some of it out, and those with an unknown action,
 * which may let clients in for good.
 */
export function contributorsToEdgeGain(
  sides: Sides<ModuleDeclaration>,
  gained: CidrSet,
  assumptions: TrafficAssumptions,
): EdgeContributor[] {
  const [before, after] = [trafficRulesOf(sides.before), trafficRulesOf(sides.after)];
  if (!before || !after) return [];
  const conditions = new Conditions(assumptions.failedExpressions);
  const mayKeepOut = (rule: TrafficRule) =>
    overlap(possiblyRefusedBy([rule], assumptions, conditions), gained);
  const mayLetIn = (rule: TrafficRule) => !isOnlyRefusing([rule], assumptions);
  return diffTrafficRules(before, after).flatMap((change): EdgeContributor[] => {
    const { kind } = change;
    const rule = kind === 'removed' ? change.before : change.after;
    const takesPart =
      (kind !== 'added' && mayKeepOut(change.before)) || (kind !== 'removed' && mayLetIn(change.after));
    return takesPart ? [{ rule, kind }] : [];
  });
}

type Rules = readonly TrafficRule[];

const stepsOf = (
  rules: Rules,
  assumptions: TrafficAssumptions,
  conditions = new Conditions(assumptions.failedExpressions),
) => programOf(rules, conditions, assumptions);

function refusedBy(rules: Rules, assumptions: TrafficAssumptions, conditions?: Conditions): AddressBounds {
  const { surely, possibly } = run(compile(stepsOf(rules, assumptions, conditions)), new Map());
  return { surely: complement(possibly), possibly: complement(surely) };
}

const surelyRefusedBy = (rules: Rules, assumptions: TrafficAssumptions, conditions?: Conditions): CidrSet =>
  refusedBy(rules, assumptions, conditions).surely;

const possiblyRefusedBy = (rules: Rules, assumptions: TrafficAssumptions, conditions?: Conditions): CidrSet =>
  refusedBy(rules, assumptions, conditions).possibly;

const isOnlyRefusing = (rules: Rules, assumptions: TrafficAssumptions): boolean =>
  stepsOf(rules, assumptions).steps.every(({ kind }) => kind === 'refuse');
