import { type Cidr, overlaps } from 'pulumi-edge-policy/internal/values/cidr';
import { cidrSetOf, isEmptyCidrSet, touches } from '../access/cidr-set';
import { contributorsTo, widestFirst } from '../access/contributing-rules';
import { type IpModel, letsUnmatchedIn } from '../access/evaluation-model';
import type { FamilyChange, PolicyChange } from '../access/policy-change';
import type { VisibleRule } from '../model/declarations';
import { valueOf } from '../model/known';
import { familyName, networksWithSize } from '../text/amounts';
import { foreign, say, trusted } from '../text/sentence';
import { addressEffectFindings, type Causes } from './address-effect-findings';
import { gainNotes } from './attribution-notes';
import { type Finding, finding, type MovedList, type Where } from './finding';

/** The effect of a change on who gets in by one policy. */
export function accessChangeFindings(policy: PolicyChange, model: IpModel): Finding[] {
  return [
    ...(isOnlyWidenedElsewhere(policy) ? [] : addressEffectFindings(policy.access, causesOf(policy, model))),
    ...policy.families.flatMap((family) => gaps(policy, family)),
    ...shutFromTheStart(policy),
  ];
}

/** The origins of what a change does by one policy. */
export const causesOf = (policy: PolicyChange, model: IpModel): Causes => ({
  ofGain: (networks) => causeOfMove(policy, networks, { isGain: true, model }),
  ofLoss: (networks) => causeOfMove(policy, networks, { isGain: false, model }),
  isOpenByDefault: letsUnmatchedIn(model),
  isWhole: true,
  notesOfGain: (gained) => gainNotes(policy, gained, model),
});

/** The effect of rules whose policy is hidden. The other rules of that policy are hidden, too. */
export const unplacedChangeFindings = (policy: PolicyChange): Finding[] =>
  addressEffectFindings(policy.access, unplacedCausesOf(policy));

/** The origins of what rules with a hidden policy do. */
export const unplacedCausesOf = (policy: PolicyChange): Causes => ({
  ofGain: (networks) => causeOf(policy, networks, 'allow'),
  ofLoss: (networks) => causeOf(policy, networks, 'deny'),
  isOpenByDefault: false,
  isWhole: false,
});

/** The list that all changed rules for these networks are from; undefined if it is not a single one. */
function listBehind({ added, removed }: PolicyChange, networks: readonly Cidr[]): MovedList | undefined {
  if (![...added, ...removed].some(({ list }) => list !== undefined)) return undefined;
  const moved = cidrSetOf(networks);
  const names = new Set(
    [...added, ...removed].flatMap(({ cidr, list }) => (touches(moved, cidr) ? [list] : [])),
  );
  const [name] = names;
  if (name === undefined || names.size > 1) return undefined;
  return { name, added: onlyIn(added, removed, name), removed: onlyIn(removed, added, name) };
}

/** How many networks of a list only one side has: one that has another end is on both. */
function onlyIn(rules: readonly VisibleRule[], others: readonly VisibleRule[], name: string): number {
  const there = new Set(others.map(({ cidr }) => cidr.text));
  return rules.filter(({ list, cidr }) => list === name && !there.has(cidr.text)).length;
}

/**
 * An allow rule whose policy is not known is reported once, and not for every policy that it may belong to. A deny rule does
 * nothing by itself: its possible effect is reported for each policy.
 */
export const isOnlyWidenedElsewhere = ({ changedUrns, access, after, before }: PolicyChange): boolean =>
  changedUrns.size === 0 &&
  before.hiddenRules.length + after.hiddenRules.length === 0 &&
  access.doubts.length > 0 &&
  access.doubts.every(({ property }) => property === 'ipPolicyId') &&
  [...before.doubtfulRules, ...after.doubtfulRules].every(({ action }) => valueOf(action) === 'allow');

/** The widest of the changed rules that contribute to the largest of the networks. */
function causeOfMove(
  policy: PolicyChange,
  networks: readonly Cidr[],
  direction: { readonly isGain: boolean; readonly model: IpModel },
): Where {
  const { added, removed } = contributorsTo(policy, cidrSetOf(networks), direction);
  const [largest] = networks;
  const [rule] = [...added, ...removed]
    .filter(({ cidr }) => largest && overlaps(cidr, largest))
    .sort(widestFirst);
  if (!rule) return causeOf(policy, networks, direction.isGain ? 'allow' : 'deny');
  const list = listBehind(policy, networks);
  return { subject: policy.policyId, origin: rule.origin, property: rule.property, list };
}

/** The changed rule that most likely causes the change: one that matches the largest of the networks. */
function causeOf(policy: PolicyChange, networks: readonly Cidr[], action: VisibleRule['action']): Where {
  const [largest] = networks;
  const matches = (rule: VisibleRule) =>
    policy.changedUrns.has(rule.origin.urn) && largest !== undefined && overlaps(rule.cidr, largest);
  const rule =
    policy.after.rules.find((candidate) => candidate.action === action && matches(candidate)) ??
    policy.before.rules.find((candidate) => candidate.action !== action && matches(candidate)) ??
    policy.after.rules.find((candidate) => policy.changedUrns.has(candidate.origin.urn));
  const list = listBehind(policy, networks);
  return { subject: policy.policyId, origin: rule?.origin, property: rule?.property, list };
}

function gaps(policy: PolicyChange, { family, gapGained, gapLost }: FamilyChange): Finding[] {
  const gap = (networks: readonly Cidr[], can: 'can' | 'cannot'): Finding[] => {
    if (networks.length === 0) return [];
    const isGain = can === 'can';
    const reason = say`While rules are replaced, ${networksWithSize(networks)} ${trusted(can)} get in for a moment (${trusted(familyName(family))}).`;
    const where = causeOf(policy, networks, isGain ? 'deny' : 'allow');
    return [finding('replacement-gap', { reason, where, severity: isGain ? 'medium' : 'low' })];
  };
  return [...gap(gapGained, 'can'), ...gap(gapLost, 'cannot')];
}

/** A new policy that lets nobody in. If it locks somebody out, the effect says so. */
function shutFromTheStart(policy: PolicyChange): Finding[] {
  const { before, after } = policy.access;
  if (!isEmptyCidrSet(after.possibly) || !isEmptyCidrSet(before.possibly)) return [];
  if (policy.after.rules.length === 0) return [];
  const reason = say`The rules of ${foreign(policy.policyId)} let nobody in.`;
  const where = causeOf(policy, [], 'deny');
  return [finding('nobody-let-in', { reason, where, isNew: policy.before.rules.length === 0 })];
}
