import type { Family } from 'pulumi-edge-policy/internal/values/address';
import type { Cidr } from 'pulumi-edge-policy/internal/values/cidr';
import type { CidrSet } from '../access/cidr-set';
import { emptyCidrSet, everything, isEmptyCidrSet, sameCidrSet, subtract } from '../access/cidr-set';
import { isNearlyAll, largestFirst, publicSizes, shareOf } from '../access/public-space';
import { FAMILIES } from '../access/policy-side';
import type { AddressAccess, Doubt } from '../access/subject-access';
import { familyName } from '../text/amounts';
import { foreign, list, say, type Sentence, trusted } from '../text/sentence';
import { finding, type Finding, type Where } from './finding';
import { gainInWords, isSaidByRest } from './gain-in-words';
import { milderOf, type Severity, severityOfGain, severityOfLoss, worseOf } from './severity';

/** The origins of an effect's parts. */
export interface Causes {
  /** Whether everybody gets in who is not refused, so that refusals are the only protection. */
  readonly isOpenByDefault: boolean;
  /** Whether everything that decides is known; otherwise it cannot be said that everybody gets in, or nobody. */
  readonly isWhole: boolean;
  readonly ofGain: (networks: readonly Cidr[]) => Where;
  readonly ofLoss: (networks: readonly Cidr[]) => Where;
  /** What contributes to a gain, besides hidden parts. */
  readonly notesOfGain?: (gained: CidrSet) => readonly Sentence[];
}

/** The effect of a change on the addresses that get in by one policy or through one edge. */
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

/** A protection that no longer keeps anyone out, whatever the cause. */
function openedForAll({ subject, before, after, gained }: AddressAccess, causes: Causes): Finding[] {
  const isOpen = sameCidrSet(after.surely, everything);
  if (!causes.isWhole || !causes.isOpenByDefault || !isOpen || isEmptyCidrSet(gained.possibly)) return [];
  const networks = largestFirst(gained.surely);
  const who =
    networks.length === 0
      ? trusted('everyone whom its conditions kept out can get in')
      : say`${gainInWords(gained.surely)} can get in and could not before`;
  const where = causes.ofGain(networks);
  const severity = worseOf('high', severityOfGain(subtract(gained.surely, before.surely)));
  const reason = say`Nothing keeps anyone out of ${foreign(subject)} any more: ${who}.`;
  return [
    finding('protection-lost', {
      ...{ where: { subject, ...where }, reason, severity, gained: shareOf(gained.surely) },
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
      notes: causes.notesOfGain?.(gained) ?? [],
    }),
  ];
}

/** Networks of one family. */
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
      // Others may still get in by rules whose policy is hidden, too.
      severity: causes.isWhole ? severity : milderOf('medium', severity),
    }),
  ];
}

/** Somebody got in before, and nobody does any more. */
function closedForAll({ subject, before, after }: AddressAccess, causes: Causes): Finding[] {
  if (!causes.isWhole || !isEmptyCidrSet(after.possibly) || isEmptyCidrSet(before.possibly)) return [];
  const where = { subject, ...causes.ofLoss(largestFirst(before.possibly)) };
  const reason = say`Everyone whom ${foreign(subject)} let in is locked out.`;
  return [finding('nobody-let-in', { where, reason, severity: 'critical', lost: shareOf(before.possibly) })];
}

/** What may change in addition to the certain changes. */
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
  const content = { where, reason, notes, gained: shareOf(gained), lost: shareOf(lost) };
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
