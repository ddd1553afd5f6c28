import type { Family } from 'pulumi-edge-policy/internal/values/address';
import {
  type CidrSet,
  covers,
  emptyCidrSet,
  everything,
  isEmptyCidrSet,
  sameCidrSet,
  sizeOf,
  subtract,
  union,
} from '../access/cidr-set';
import { isExact } from '../access/bounds';
import { doAllowsCount, type IpModel } from '../access/evaluation-model';
import type { PolicyChange } from '../access/policy-change';
import { FAMILIES, type PolicySide } from '../access/policy-side';
import {
  gainInWords,
  isNearlyAll,
  isSaidByRest,
  largestFirst,
  partIn,
  publicSizes,
  shareOf,
} from '../access/public-space';
import { redundancyOf } from '../access/rule-effects';
import type { AddressAccess, Doubt } from '../access/subject-access';
import type { VisibleRule } from '../model/declarations';
import { addressesInWords, familyName, rulesInWords } from '../text/amounts';
import { foreign, list, say, type Sentence, trusted } from '../text/sentence';
import { causeOf, type Causes, causesOf } from './causes';
import { type Finding, findingOf, markExisting, type Where } from './finding';
import { hiddenValueKinds } from './hidden-values';
import { moduleKinds } from './modules';
import type { Severity } from './severity';
import { aboutChange, aboutState, milderOf, severityOfGain, severityOfLoss, worseOf } from './severity';

export const accessKinds = {
  'access-widened': aboutChange('medium', {
    extents: ['networks'],
    title: 'Addresses gain access',
    advice: 'Check that each of these networks should have access.',
  }),
  'access-narrowed': aboutChange('low', {
    extents: ['networks'],
    title: 'Addresses lose access',
    advice: 'Check that nobody in the lost networks still needs access.',
  }),
  'open-to-all': aboutState('critical', 'stack', {
    extents: ['networks'],
    title: 'A whole address family is let in',
    advice:
      'Allow the networks that need access instead, or waive this with a reason if the endpoint is meant to be public.',
  }),
  'open-to-most': aboutState('high', 'stack', {
    extents: ['networks'],
    title: 'At least half of an address family is let in',
    advice: 'Look for a prefix length that is too short, or waive this with a reason.',
  }),
  'nobody-let-in': aboutState('high', 'stack', {
    extents: ['networks', 'patterns'],
    title: 'A policy lets nobody in',
    advice: 'Add an allow rule that no deny rule covers, or detach the policy from its endpoint first.',
  }),
  'access-may-change': aboutChange('medium', {
    extents: ['networks'],
    title: 'Some addresses may gain or lose access',
    advice: 'Check the networks listed as the upper bound, or make hidden and unknown values visible.',
  }),
};

const finding = findingOf({ ...accessKinds, ...moduleKinds, ...hiddenValueKinds });

export function addressEffectFindings(access: AddressAccess, causes: Causes): Finding[] {
  const opened = openedForAll(access, causes);
  const closed = closedForAll(access, causes);
  return [
    ...opened,
    ...(opened.length > 0
      ? []
      : FAMILIES.flatMap((family) => gains(access, only(access.gained.surely, family), causes))),
    ...closed,
    ...(closed.length > 0 ? [] : FAMILIES.flatMap((family) => losses(access, family, causes))),
    ...(opened.length > 0 || closed.length > 0 ? [] : possibleMoves(access, causes)),
  ];
}

const only = (set: CidrSet, family: Family): CidrSet => ({ ...emptyCidrSet, [family]: set[family] });

function openedForAll({ subject, before, after, gained }: AddressAccess, causes: Causes): Finding[] {
  const isOpen = sameCidrSet(after.surely, everything);
  if (!causes.isWhole || !causes.isOpenByDefault || !isOpen || isEmptyCidrSet(gained.possibly)) return [];
  const networks = largestFirst(gained.surely);
  const proved = networks.length === 0 ? [] : gainInWords(gained.surely);
  const atLeast = networks.length === 0 ? [] : say`, at least ${proved}`;
  const who = isExact(gained)
    ? say`${proved} can get in and could not before`
    : say`everyone whom its conditions kept out can get in${atLeast}`;
  const where = causes.ofGain(networks);
  const severity = worseOf('high', severityOfGain(subtract(gained.surely, before.surely)));
  const reason = say`Nothing keeps anyone out of ${foreign(subject)} any more: ${who}.`;
  return [
    finding('protection-lost', {
      ...{ where: { subject, ...where }, reason, severity, gained: shareOf(gained.surely) },
      extent: { networks: gained.possibly },
      notes: causes.notesOfGain?.(gained.surely) ?? [],
    }),
  ];
}

function gains({ kind, subject }: AddressAccess, gained: CidrSet, causes: Causes): Finding[] {
  if (isEmptyCidrSet(gained)) return [];
  return [
    finding('access-widened', {
      reason: say`${movedNetworks(gained)} can get in and could not before.`,
      where: { subject, ...causes.ofGain(largestFirst(gained)) },
      // A policy that lets nearly everybody in is a finding of its own, so that one waiver covers an intended one.
      severity: kind === 'policy' ? milderOf('high', severityOfGain(gained)) : severityOfGain(gained),
      gained: shareOf(gained),
      extent: { networks: gained },
      notes: causes.notesOfGain?.(gained) ?? [],
    }),
  ];
}

const movedNetworks = (moved: CidrSet): Sentence =>
  isSaidByRest(moved)
    ? say`Nearly everyone, ${gainInWords(moved)},`
    : say`In ${trusted(familyName(moved[4].length > 0 ? 4 : 6))}, ${gainInWords(moved)}`;

function losses(access: AddressAccess, family: Family, causes: Causes): Finding[] {
  const lost = only(access.lost.surely, family);
  if (isEmptyCidrSet(lost)) return [];
  const networks = largestFirst(lost);
  const severity = severityOfLoss(access, family);
  return [
    finding('access-narrowed', {
      reason: say`${movedNetworks(lost)} could get in before and no longer can.`,
      where: { subject: access.subject, ...causes.ofLoss(networks) },
      lost: shareOf(lost),
      extent: { networks: lost },
      // Others may still get in by rules whose policy is hidden, too.
      severity: causes.isWhole ? severity : milderOf('medium', severity),
    }),
  ];
}

function closedForAll({ subject, before, after }: AddressAccess, causes: Causes): Finding[] {
  if (!causes.isWhole || !isEmptyCidrSet(after.possibly) || isEmptyCidrSet(before.possibly)) return [];
  const where = { subject, ...causes.ofLoss(largestFirst(before.possibly)) };
  const reason = say`Everyone whom ${foreign(subject)} let in is locked out.`;
  const content = { lost: shareOf(before.possibly), extent: { networks: before.possibly } };
  return [finding('nobody-let-in', { where, reason, severity: 'critical', ...content })];
}

function possibleMoves(access: AddressAccess, causes: Causes): Finding[] {
  const gained = subtract(access.gained.possibly, access.gained.surely);
  const lost = subtract(access.lost.possibly, access.lost.surely);
  if (isEmptyCidrSet(gained) && isEmptyCidrSet(lost)) return [];
  const { subject, doubts } = access;
  const [doubt] = doubts;
  const where = doubt
    ? { subject, origin: doubt.origin, property: doubt.property }
    : { subject, ...causes.ofGain(largestFirst(gained)) };
  const parts = [
    ...(isEmptyCidrSet(gained) ? [] : [say`at most ${gainInWords(gained)} may gain access`]),
    ...(isEmptyCidrSet(lost) ? [] : [say`at most ${gainInWords(lost)} may lose access`]),
  ];
  const because = doubt ? say` because ${list(doubts.map(({ reason }) => reason))}` : [];
  const reason = say`Not decided for ${foreign(subject)}: ${list(parts)}${because}.`;
  const notes = isEmptyCidrSet(gained) ? [] : (causes.notesOfGain?.(gained) ?? []);
  const extent = { networks: union(gained, lost) };
  const content = { where, reason, notes, gained: shareOf(gained), lost: shareOf(lost), extent };
  const isHidden = doubts.some((each) => each.isHidden === true);
  return isHidden && isUnbounded(access)
    ? [finding('value-hidden', content)]
    : [finding('access-may-change', { ...content, severity: severityOfDoubt(gained, doubts) })];
}

/** A merely possible change is not called critical, unless a look-up decides: most likely it is what it was. */
function severityOfDoubt(gained: CidrSet, doubts: readonly Doubt[]): Severity {
  if (isEmptyCidrSet(gained)) return 'medium';
  const severity = severityOfGain(gained);
  return doubts.some(({ isLookUp }) => isLookUp === true) ? severity : milderOf('high', severity);
}

/** Nearly everybody may get in, or nobody may any more: a bound without information. */
function isUnbounded({ before, after, gained }: AddressAccess): boolean {
  const maybe = subtract(gained.possibly, gained.surely);
  const mayBeShut = isEmptyCidrSet(after.surely) && !isEmptyCidrSet(before.surely);
  return publicSizes(maybe).some(isNearlyAll) || mayBeShut;
}

/** A new policy that lets nobody in. If it locks somebody out, the effect says so. */
export function shutFromTheStart(policy: PolicyChange): Finding[] {
  const { before, after } = policy.access;
  if (!isEmptyCidrSet(after.possibly) || !isEmptyCidrSet(before.possibly)) return [];
  if (policy.after.rules.length === 0) return [];
  const reason = say`The rules of ${foreign(policy.policyId)} let nobody in.`;
  const where = causeOf(policy, [], 'deny');
  const extent = { networks: emptyCidrSet };
  return [finding('nobody-let-in', { reason, where, extent, isNew: policy.before.rules.length === 0 })];
}

export function openness(policy: PolicyChange, model: IpModel): Finding[] {
  const openIn = (side: PolicySide): Finding[] =>
    FAMILIES.flatMap((family) => openFindings(policy.policyId, side, { family, model }));
  const open = openIn(policy.after);
  return open.length === 0
    ? []
    : markExisting(open, openIn(policy.before)).map((each) => becauseOfGrowth(each, policy, model));
}

/** A policy that becomes open, although it may have been nearly open before, is as bad as what it gains, by the rules that change. */
function becauseOfGrowth(opening: Finding, policy: PolicyChange, model: IpModel): Finding {
  const { gained } = policy.access;
  if (!opening.isNew) return opening;
  const networks = largestFirst(gained.possibly);
  const inFamily = networks.filter(({ family }) => opening.members?.includes(familyName(family)));
  return {
    ...opening,
    where: causesOf(policy, model).ofGain(inFamily.length > 0 ? inFamily : networks),
    severity: milderOf(opening.severity, severityOfGain(gained.possibly)),
  };
}

function openFindings(
  policyId: string,
  side: PolicySide,
  { family, model }: { family: Family; model: IpModel },
): Finding[] {
  const reached = publicSizes(side.letIn).find((size) => size.family === family);
  if (!reached || reached.share < 0.5) return [];
  const rules = doAllowsCount(model) ? widestAllows(side, family) : [];
  const where: Where = { subject: policyId, origin: rules[0]?.origin, property: rules[0]?.property };
  const cause =
    rules.length === 0 ? trusted('no rule keeps them out') : say`by ${rulesInWords(rules, 'allow rule')}`;
  const members = [familyName(family)];
  const who = addressesInWords(family, sizeOf(side.letIn, family), reached.share);
  const id = isNearlyAll(reached) ? 'open-to-all' : 'open-to-most';
  const extent = { networks: only(side.letIn, family) };
  return [finding(id, { where, reason: say`${who} can get in, ${cause}.`, members, extent })];
}

/** The allow rules that make up most of the access, the widest first: of IPv4 those for NAT64, too, if they reach more. */
function widestAllows({ byAction: { allow } }: PolicySide, family: Family): VisibleRule[] {
  const byLength: VisibleRule[][] = [];
  for (const rule of redundancyOf(allow.rules).outermost) {
    const reached = partIn(family, rule.cidr);
    if (!reached || (reached !== rule.cidr && covers(allow.networks, reached))) continue;
    (byLength[reached.prefixLength] ??= []).push(rule);
  }
  const shortest = byLength.findIndex((rules: VisibleRule[] | undefined) => rules !== undefined);
  return byLength.slice(0, shortest === 0 ? 1 : shortest + 9).flat();
}
