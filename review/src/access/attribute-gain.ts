import type { VisibleRule } from '../model/declarations';
import { type CidrSet, cidrSetOf, intersect, isEmptyCidrSet, subtract, touches, union } from './cidr-set';
import { doAllowsCount, doDeniesCount, type IpModel } from './evaluation-model';
import type { PolicyChange } from './policy-change';

/** The rules that cause a gain, and the one that prevents it. */
export interface Attribution {
  /** Added allow rules, and removed deny rules. */
  readonly added: readonly VisibleRule[];
  readonly removed: readonly VisibleRule[];
  /** The one of them whose reversal alone prevents the gain, if there is one. */
  readonly edit?: VisibleRule;
}

/** If there are more rules, they are not tried one by one. */
const MAX_TRIED = 100;

/** Says which changed rules let the gained addresses in, and which of them alone would prevent the gain. */
export function attributeGain(policy: PolicyChange, gained: CidrSet, model: IpModel): Attribution {
  const { added, removed } = contributorsTo(policy, gained, model);
  const gain: Gain = { gained, added, letInAnyway: keptAllows(policy, added) };
  const candidates = [...added, ...removed];
  const edit =
    candidates.length > MAX_TRIED
      ? undefined
      : candidates.find((rule) => isPrevented(gain, [rule], policy, model));
  return { added, removed, ...(edit && { edit }) };
}

/** The changed rules that contribute to a gain: added allow rules, and removed deny rules. */
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

/** Whether there is no gain if these rules are reverted: deny rules stay, allow rules are not added. */
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

/** What the staying allow rules let in by themselves, computed on first use. */
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
  /** Computed only when a choice depends on it. */
  readonly letInAnyway: () => CidrSet;
}
