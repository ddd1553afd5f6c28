import type { CidrSet } from 'pulumi-edge-policy/internal/values/cidr-set';
import {
  complement,
  isEmptyCidrSet,
  intersect,
  overlap,
  subtract,
  unionAll,
} from 'pulumi-edge-policy/internal/values/cidr-set';
import { leastEdit, MAX_TRIED } from '../access/attribution';
import type { AddressBounds } from '../access/bounds';
import { exactly } from '../access/bounds';
import type { TrafficPolicyDeclaration } from '../model/declarations';
import { Conditions } from './condition';
import type { TrafficRuleChange } from './diff';
import { diffTrafficRules } from './diff';
import type { TrafficAssumptions } from './edge-access';
import { programOf } from './program';
import { compile, fixedRefusal, run } from './run-program';
import type { TrafficRule } from './traffic-rules';
import { trafficRulesOf } from './traffic-rules';

/** A rule that kept out, as it was before, addresses that get in now. */
export interface LostRefusal {
  readonly rule: TrafficRule;
  readonly kind: 'removed' | 'changed';
  /** Whom it surely kept out. */
  readonly keptOut: CidrSet;
  /** What became of a rule that is changed. */
  readonly after?: TrafficRule;
}

/** The rules that bring a gain about, and those that prevent it if they stay as they were. */
export interface EdgeAttribution {
  readonly causes: readonly LostRefusal[];
  readonly keep: readonly LostRefusal[];
}

type Sides<Value> = Readonly<Record<'before' | 'after', Value>>;

/** Says which rules of a document that goes, or is changed, kept out whoever gains. */
export function attributeEdgeGain(
  sides: Sides<TrafficPolicyDeclaration>,
  gained: CidrSet,
  assumptions: TrafficAssumptions,
): EdgeAttribution {
  const [before, after] = [trafficRulesOf(sides.before), trafficRulesOf(sides.after)];
  if (!before || !after) return { causes: [], keep: [] };
  const conditions = new Conditions(assumptions.failedExpressions);
  const lost = diffTrafficRules(before, after).flatMap((change): LostRefusal[] => {
    if (change.kind === 'added' || change.kind === 'moved') return [];
    const { before: rule, kind } = change;
    const keptOut = surelyRefusedBy([rule], assumptions, conditions);
    return [{ rule, kind, keptOut, ...(kind === 'changed' && { after: change.after }) }];
  });
  const causes = lost.filter(({ keptOut }) => overlap(keptOut, gained));
  // Of a document whose other rules may let somebody in for good, nobody knows what one rule prevents.
  if (!isOnlyRefusing(after, assumptions)) return { causes, keep: [] };
  const staysOut = othersStayOut({ before, after }, lost, assumptions);
  const prevents = (kept: readonly LostRefusal[]) =>
    isEmptyCidrSet(subtract(gained, unionAll(kept.map(({ keptOut }) => keptOut)))) && staysOut(kept);
  // What brings nothing about is left out first.
  const others = staysOut === ALWAYS_SO ? [] : lost.filter((one) => !causes.includes(one));
  const keep = new Set(leastEdit([...others, ...causes], prevents));
  return { causes, keep: lost.filter((one) => keep.has(one)) };
}

/** A rule that has a part in a gain that is only possible. */
export interface EdgeContributor {
  readonly rule: TrafficRule;
  readonly kind: TrafficRuleChange['kind'];
}

/**
 * Says which changed rules may have a part in a gain: those that may have kept somebody out of it, and those of which an
 * action is not known, as it may let somebody in for good.
 */
export function contributorsToEdgeGain(
  sides: Sides<TrafficPolicyDeclaration>,
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

const ALWAYS_SO = (): boolean => true;

/**
 * Whether nobody else gains where some rules are as before: a changed rule that is undone no longer keeps out whom it has
 * begun to, and whose old rule may be gone.
 */
function othersStayOut(
  { before, after }: Sides<Rules>,
  lost: readonly LostRefusal[],
  assumptions: TrafficAssumptions,
): (kept: readonly LostRefusal[]) => boolean {
  const changed = new Set(lost.flatMap((one) => one.after ?? []));
  if (changed.size === 0 || lost.length > MAX_TRIED) return ALWAYS_SO;
  const byOthers = possiblyRefusedBy(
    after.filter((rule) => !changed.has(rule)),
    assumptions,
  );
  const byChanged = subtract(possiblyRefusedBy([...changed], assumptions), byOthers);
  const keptOut = intersect(surelyRefusedBy(before, assumptions), byChanged);
  if (isEmptyCidrSet(keptOut)) return ALWAYS_SO;
  return (kept) => {
    const rules = lost.flatMap((one) => (kept.includes(one) ? one.rule : (one.after ?? [])));
    return isEmptyCidrSet(subtract(keptOut, possiblyRefusedBy(rules, assumptions)));
  };
}

type Rules = readonly TrafficRule[];

const stepsOf = (
  rules: Rules,
  assumptions: TrafficAssumptions,
  conditions = new Conditions(assumptions.failedExpressions),
) => programOf(rules, conditions, assumptions);

function refusedBy(rules: Rules, assumptions: TrafficAssumptions, conditions?: Conditions): AddressBounds {
  const program = compile(stepsOf(rules, assumptions, conditions));
  // Most rules refuse some networks and nothing else: these need not be turned inside out twice.
  const fixed = fixedRefusal(program);
  if (fixed) return exactly(fixed);
  const { surely, possibly } = run(program, new Map());
  return { surely: complement(possibly), possibly: complement(surely) };
}

const surelyRefusedBy = (rules: Rules, assumptions: TrafficAssumptions, conditions?: Conditions): CidrSet =>
  refusedBy(rules, assumptions, conditions).surely;

const possiblyRefusedBy = (rules: Rules, assumptions: TrafficAssumptions, conditions?: Conditions): CidrSet =>
  refusedBy(rules, assumptions, conditions).possibly;

const isOnlyRefusing = (rules: Rules, assumptions: TrafficAssumptions): boolean =>
  // Of thousands of rules nearly all can be told by their actions.
  rules.every(
    ({ isStrange, actionTypes, actions }) =>
      !isStrange &&
      actionTypes.length === actions.length &&
      actionTypes.every((type) => type === 'deny' || type === 'log'),
  ) || stepsOf(rules, assumptions).steps.every(({ kind }) => kind === 'refuse');
