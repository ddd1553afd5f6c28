import { type Cidr, overlaps } from 'pulumi-edge-policy/internal/values/cidr';
import { cidrSetOf, covers, isEmptyCidrSet, touches } from '../access/cidr-set';
import { contributorsTo } from '../access/contributors';
import { type IpModel, letsUnmatchedIn } from '../access/evaluation-model';
import { endOfAccess, type EndOfAccess } from '../access/end-of-access';
import type { FamilyChange, PolicyChange } from '../access/policy-change';
import type { VisibleRule } from '../model/declarations';
import { type ConfirmedMoves, feedsInWords } from './feed-confirmation';
import { valueOf } from '../model/known';
import { familyName, networksWithSize, rulesInWords } from '../text/amounts';
import { count, foreign, say, type Sentence, trusted } from '../text/sentence';
import { addressEffectFindings, type Causes } from './address-effect-findings';
import { gainNotes } from './attribution-notes';
import { type Finding, finding, groupByResource, type MovedList, type Where } from './finding';

/** The effect of a change on who gets in by one policy. */
export function accessChangeFindings(
  policy: PolicyChange,
  model: IpModel,
  confirmed: ConfirmedMoves = () => [],
): Finding[] {
  const causes = { ...causesOf(policy, model), confirmed };
  return [
    ...(isOnlyWidenedElsewhere(policy) ? [] : addressEffectFindings(policy.access, causes)),
    ...policy.families.flatMap((family) => gaps(policy, family)),
    ...removedDenies(policy, { isWhole: true, confirmed }),
    ...shutFromTheStart(policy),
  ];
}

/** The origins of what a change does by one policy, at once or from a later time on. */
export const causesOf = (policy: PolicyChange, model: IpModel, fromMs?: number): Causes => ({
  ...causesIn(policy),
  ofGain: (networks) => causeOfGain(policy, networks, model),
  isOpenByDefault: letsUnmatchedIn(model),
  isWhole: true,
  notesOfGain: (gained) => gainNotes(policy, gained, model),
  endOfGain: (gained) => untilWhen(endOfAccess(gained, policy.moments, fromMs)),
});

function untilWhen(end: EndOfAccess | undefined): Sentence {
  if (!end) return [];
  const who = trusted(end.isAll ? '' : 'some of them ');
  const latest = trusted(end.isAtOnce ? '' : ' at the latest');
  // The text of an end is in canonical form, which reading the line has ensured.
  return say`, ${who}until ${trusted(end.until)}${latest}`;
}

/** The effect of rules whose policy is hidden. The other rules of that policy are hidden, too. */
export function unplacedChangeFindings(policy: PolicyChange): Finding[] {
  const effects = addressEffectFindings(policy.access, unplacedCausesOf(policy));
  // It may have been the last rule that let anybody in.
  const mayShut = isEmptyCidrSet(policy.access.after.possibly);
  const graded = effects.map((found): Finding =>
    found.id === 'access-narrowed' && mayShut ? { ...found, severity: 'medium' } : found,
  );
  return [...graded, ...removedDenies(policy, { isWhole: false })];
}

/** The origins of what rules with a hidden policy do. */
export const unplacedCausesOf = (policy: PolicyChange): Causes => ({
  ...causesIn(policy),
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

const causesIn = (policy: PolicyChange): Pick<Causes, 'ofGain' | 'ofLoss'> => ({
  ofGain: (networks) => causeOf(policy, networks, 'allow'),
  ofLoss: (networks) => causeOf(policy, networks, 'deny'),
});

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

/** The changed rule that contributes to the largest of the gained networks. */
function causeOfGain(policy: PolicyChange, networks: readonly Cidr[], model: IpModel): Where {
  const { added, removed } = contributorsTo(policy, cidrSetOf(networks), model);
  const [largest] = networks;
  const rule = [...added, ...removed].find(({ cidr }) => largest && overlaps(cidr, largest));
  if (!rule) return causeOf(policy, networks, 'allow');
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

/** Which rules are removed; the effect says what that does. */
function removedDenies(
  policy: PolicyChange,
  { isWhole, confirmed }: Pick<Causes, 'confirmed' | 'isWhole'>,
): Finding[] {
  const uncovered = policy.removed.filter(
    ({ action, cidr }) => action === 'deny' && !covers(policy.after.denied, cidr),
  );
  if (uncovered.length === 0) return [];
  // A deny rule that an exclusive set may remove is still declared.
  const declared = new Set(policy.after.byAction.deny.rules.map(({ cidr }) => cidr.text));
  const removed = uncovered.filter(({ cidr }) => !declared.has(cidr.text));
  const isGained = ({ cidr }: VisibleRule) => touches(policy.access.gained.possibly, cidr);
  return groupByResource(removed).map((group) => {
    const opens = !isWhole || group.rules.some(isGained);
    const networks = group.rules.map(({ cidr }) => cidr);
    const feeds = confirmed?.(cidrSetOf(networks), 'undenied') ?? [];
    const what =
      feeds.length === 0
        ? rulesInWords(group.rules, 'deny rule')
        : say`${count(group.rules.length, 'deny rule')} of ${feedsInWords(feeds)}`;
    const effect = trusted(effectOfRemoval(opens, isWhole && policy.isDecidable));
    return finding('deny-removed', {
      reason: say`The change removes or narrows ${what}; ${effect}.`,
      where: {
        ...{ subject: policy.policyId, origin: group.origin, property: group.property },
        list: listBehind(policy, networks),
      },
    });
  });
}

function effectOfRemoval(opens: boolean, isDecidable: boolean): string {
  if (opens) return isDecidable ? 'what it kept out can get in now' : 'what it kept out may get in now';
  return 'nobody gets in through it';
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
