import type { VisibleRule } from '../model/declarations';
import {
  type CidrSet,
  cidrSetOf,
  intersect,
  isEmptyCidrSet,
  subtract,
  touches,
  union,
} from 'pulumi-edge-policy/internal/values/cidr-set';
import { doAllowsCount, doDeniesCount, type IpModel } from './evaluation-model';
import type { PolicyChange } from './policy-change';

/** The rules that bring a gain about, and the least of them that has to be as before for nobody to gain. */
export interface Attribution {
  /** Allow rules that come, and deny rules that go. */
  readonly added: readonly VisibleRule[];
  readonly removed: readonly VisibleRule[];
  readonly leaveOut: readonly VisibleRule[];
  readonly keep: readonly VisibleRule[];
}

/**
 * Says which changed rules let the gained addresses in. An address was kept out by a deny rule that goes, or was let in
 * by nothing but allow rules that come: the one or the other, as before, prevents its gain.
 */
export function attributeGain(policy: PolicyChange, gained: CidrSet, model: IpModel): Attribution {
  const { added, removed } = contributorsTo(policy, gained, model);
  const gain: Gain = { gained, added, removed, letInAnyway: keptAllows(policy, added) };
  // With the last model an address gets in by an allow rule or without a deny rule: neither alone prevents anything.
  const undone = model === 'allow-overrides' ? [...added, ...removed] : fewestRules(gain);
  const needed = neededOf(undone, (rules) => isPrevented(gain, rules, policy, model));
  return { added, removed, leaveOut: needed.filter(isAllow), keep: needed.filter((rule) => !isAllow(rule)) };
}

/** The changed rules that have a part in a gain: allow rules that come, and deny rules that go. */
export function contributorsTo(
  policy: PolicyChange,
  gained: CidrSet,
  model: IpModel,
): Pick<Attribution, 'added' | 'removed'> {
  const isGained = ({ cidr }: VisibleRule) => touches(gained, cidr);
  return {
    added: doAllowsCount(model)
      ? policy.added.filter((rule) => rule.action === 'allow' && isGained(rule))
      : [],
    removed: doDeniesCount(model)
      ? policy.removed.filter((rule) => rule.action === 'deny' && isGained(rule))
      : [],
  };
}

const isAllow = ({ action }: VisibleRule): boolean => action === 'allow';

/** Leaves out those that the others make redundant; a small network is left out before one around it. */
function neededOf(
  rules: readonly VisibleRule[],
  prevents: (rules: readonly VisibleRule[]) => boolean,
): readonly VisibleRule[] {
  if (rules.length > MAX_TRIED) return rules;
  const needed = new Set(
    leastEdit(
      rules.toSorted((a, b) => b.cidr.prefixLength - a.cidr.prefixLength),
      prevents,
    ),
  );
  return rules.filter((rule) => needed.has(rule));
}

/** Whether nobody gains where these rules are as before: deny rules stay, allow rules do not come. */
function isPrevented(
  { gained, added, letInAnyway }: Gain,
  asBefore: readonly VisibleRule[],
  { after }: PolicyChange,
  model: IpModel,
): boolean {
  const left = new Set(asBefore);
  const denied = cidrSetOf(asBefore.filter((rule) => !isAllow(rule)).map(({ cidr }) => cidr));
  const coming = cidrSetOf(added.filter((rule) => !left.has(rule)).map(({ cidr }) => cidr));
  const allowed = doAllowsCount(model)
    ? union(intersect(gained, letInAnyway()), intersect(gained, coming))
    : gained;
  if (model !== 'allow-overrides') return isEmptyCidrSet(subtract(allowed, denied));
  const stillDenied = cidrSetOf(after.byAction.deny.rules.map(({ cidr }) => cidr));
  return isEmptyCidrSet(allowed) && isEmptyCidrSet(subtract(gained, union(denied, stillDenied)));
}

/** What the allow rules that stay let in by themselves: worked out once, where somebody asks. */
function keptAllows({ after }: PolicyChange, added: readonly VisibleRule[]): () => CidrSet {
  const come = new Set(added);
  let kept: CidrSet | undefined;
  return () =>
    (kept ??= cidrSetOf(
      after.byAction.allow.rules.filter((rule) => !come.has(rule)).map(({ cidr }) => cidr),
    ));
}

interface Gain {
  readonly gained: CidrSet;
  readonly added: readonly VisibleRule[];
  readonly removed: readonly VisibleRule[];
  /** Asked for only where a choice depends on it. */
  readonly letInAnyway: () => CidrSet;
}

/** The fewer rules of: all denies that go; all allows that come; or denies where an allow that stays lets in anyway. */
function fewestRules({ gained, added, removed, letInAnyway }: Gain): readonly VisibleRule[] {
  const denied = cidrSetOf(removed.map((rule) => rule.cidr));
  const isAllDenied = isEmptyCidrSet(subtract(gained, denied));
  if (isAllDenied && (removed.length <= added.length || added.length === 0)) return removed;
  if (removed.length === 0) return added;
  const needsDeny = intersect(gained, letInAnyway());
  return [...added, ...removed.filter(({ cidr }) => touches(needsDeny, cidr))];
}

/** More edits are not tried out one by one: all of them are named then. */
export const MAX_TRIED = 100;

/**
 * The edits of which none can be left out without losing what all of them prevent together; none at all if all of them do
 * not prevent it. The first ones are the first to be left out.
 */
export function leastEdit<Edit>(
  edits: readonly Edit[],
  prevents: (edits: readonly Edit[]) => boolean,
): readonly Edit[] {
  if (!prevents(edits)) return [];
  if (edits.length > MAX_TRIED) return edits;
  const needed = edits.reduce<readonly Edit[]>((left, edit) => {
    const others = left.filter((other) => other !== edit);
    return prevents(others) ? others : left;
  }, edits);
  // One that was needed may be so no longer, as the other edits may undo each other in part.
  return needed.length === edits.length ? needed : leastEdit(needed, prevents);
}
