import type { CidrSet } from 'pulumi-edge-policy/internal/values/cidr-set';
import { cidrSetOf, emptyCidrSet, union } from 'pulumi-edge-policy/internal/values/cidr-set';
import type { RuleDeclaration } from '../model/declarations';
import { everything } from './public-space';
import type { BoundedChange, Possibility } from './bounds';
import { boundsOver } from './bounds';
import type { IpAssumptions } from './evaluation-model';
import type { Matches, PolicySide } from './policy-side';
import { evaluate, letInByEmptyPolicy } from './policy-side';

/** The undecided rules of a side, split into those that the other side has unchanged and the rest. */
interface UndecidedRules {
  readonly own: Matches;
  readonly kept: Matches;
}

const NOTHING: Matches = { allowed: emptyCidrSet, denied: emptyCidrSet };

/**
 * Who gets in before and after, as far as it can be known. A hidden rule may match everything or nothing. One that the change
 * leaves alone matches the same on both sides, so it only hides its own effect.
 */
export function policyBounds(
  sides: Readonly<Record<'before' | 'after', PolicySide>>,
  isKept: (rule: RuleDeclaration) => boolean,
  assumptions: IpAssumptions,
): BoundedChange {
  const before = undecidedRules(sides.before, isKept);
  const after = undecidedRules(sides.after, isKept);
  if ([before.own, before.kept, after.own, after.kept].every(isNothing))
    return boundsOver([{ before: sides.before.letIn, after: sides.after.letIn }]);
  const kept = {
    allowed: union(before.kept.allowed, after.kept.allowed),
    denied: union(before.kept.denied, after.kept.denied),
  };
  const possibilities: Possibility[] = [];
  for (const keptPart of partsOf(kept)) {
    const letIn = (side: PolicySide, own: Matches) => letInWith(side, [keptPart, own], assumptions);
    for (const [own, others] of [
      [widest(before.own), narrowest(after.own)],
      [narrowest(before.own), widest(after.own)],
    ] as const) {
      for (const letInBefore of letIn(sides.before, own)) {
        for (const letInAfter of letIn(sides.after, others))
          possibilities.push({ before: letInBefore, after: letInAfter });
      }
    }
  }
  return boundsOver(possibilities);
}

const widest = ({ allowed }: Matches): Matches => ({ allowed, denied: emptyCidrSet });
const narrowest = ({ denied }: Matches): Matches => ({ allowed: emptyCidrSet, denied });

/** Every combination of whether the undecided allow rules and the undecided deny rules match. */
function partsOf(undecided: Matches): Matches[] {
  const choices = (set: CidrSet) =>
    set === emptyCidrSet || isEmpty(set) ? [emptyCidrSet] : [emptyCidrSet, set];
  return choices(undecided.allowed).flatMap((allowed) =>
    choices(undecided.denied).map((denied) => ({ allowed, denied })),
  );
}

/** Nothing is undecided: the visible rules determine everything. */
const isNothing = (undecided: Matches): boolean => undecided === NOTHING;

const isEmpty = (set: CidrSet): boolean => set[4].length === 0 && set[6].length === 0;

function letInWith(side: PolicySide, undecided: readonly Matches[], assumptions: IpAssumptions): CidrSet[] {
  const isAsVisible = undecided.every(({ allowed, denied }) => isEmpty(allowed) && isEmpty(denied));
  const matches = [side, ...undecided].reduce((all, { allowed, denied }) => ({
    allowed: union(all.allowed, allowed),
    denied: union(all.denied, denied),
  }));
  const letIn = isAsVisible ? side.letIn : evaluate(matches, assumptions.model);
  // A policy whose only rules are doubtful may turn out to have none.
  const mayBeEmpty = !side.hasRules && side.doubtfulRules.length > 0;
  return mayBeEmpty ? [letIn, letInByEmptyPolicy(assumptions)] : [letIn];
}

function undecidedRules(side: PolicySide, isKept: (rule: RuleDeclaration) => boolean): UndecidedRules {
  const undecided = [...side.hiddenRules, ...side.doubtfulRules];
  if (undecided.length === 0) return { own: NOTHING, kept: NOTHING };
  return {
    own: matchesOf(undecided.filter((rule) => !isKept(rule))),
    kept: matchesOf(undecided.filter(isKept)),
  };
}

/** All that rules can match at most. */
function matchesOf(rules: readonly RuleDeclaration[]): Matches {
  const matched = (action: 'allow' | 'deny') => {
    const candidates = rules.filter((rule) => !rule.action.isKnown || rule.action.value === action);
    if (candidates.some((rule) => !rule.cidr.isKnown)) return everything;
    return cidrSetOf(candidates.flatMap(({ cidr }) => (cidr.isKnown ? [cidr.value] : [])));
  };
  return { allowed: matched('allow'), denied: matched('deny') };
}
