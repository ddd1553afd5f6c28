import { type CidrSet, isEmptyCidrSet } from '../access/cidr-set';
import { contributorsTo } from '../access/contributing-rules';
import type { IpModel } from '../access/evaluation-model';
import type { PolicyChange } from '../access/policy-change';
import type { VisibleRule } from '../model/declarations';
import { foreign, listOf, list, say, type Sentence, trusted } from '../text/sentence';
import { invalidPattern, type PatternList } from '../user-agents/filter-logic';
import type { RouteAccess } from '../user-agents/route-access';

/** How many rules are named before the rest is only counted. */
const NAMED = 10;

/** Notes for below a finding: which changed rules contribute to a gain. */
export function gainNotes(policy: PolicyChange, gained: CidrSet, model: IpModel): Sentence[] {
  if (isEmptyCidrSet(gained)) return [];
  const { added, removed } = contributorsTo(policy, gained, { isGain: true, model });
  return changedHere([...moved(added, nameOf, 'added'), ...moved(removed, nameOf, 'removed')]);
}

/**
 * The same of a user agent filter: its allow patterns that come, and deny patterns that go, invalid ones among them. None if a
 * whole filter is added or removed.
 */
export function routeGainNotes({ before, after }: RouteAccess['sides']): Sentence[] {
  if (before.kind === 'open' || after.kind === 'open') return [];
  return changedHere([
    ...moved(onlyIn(after.allow, before.allow), (text) => say`allow pattern ${foreign(text)}`, 'added'),
    ...moved(onlyIn(before.deny, after.deny), (text) => say`deny pattern ${foreign(text)}`, 'removed'),
  ]);
}

function onlyIn(list: PatternList, other: PatternList): string[] {
  const others = new Set(patternsOf(other));
  return patternsOf(list).filter((pattern) => !others.has(pattern));
}

const patternsOf = ({ patterns, unknowns }: PatternList): string[] => [
  ...patterns,
  ...unknowns.flatMap(invalidPattern),
];

const changedHere = (causes: readonly Sentence[]): Sentence[] =>
  causes.length === 0 ? [] : [say`Cause: ${list(causes, causes.length)}.`];

/** The things of one kind of change, with a verb. */
const moved = <T>(things: readonly T[], write: (thing: T) => Sentence, what: string): Sentence[] =>
  things.length === 0
    ? []
    : [say`${listOf(things, write, NAMED)} ${trusted(things.length === 1 ? 'is' : 'are')} ${trusted(what)}`];

const nameOf = ({ action, cidr, until, origin }: VisibleRule): Sentence =>
  say`${trusted(action)} ${foreign(cidr.text)}${until === undefined ? [] : say` until ${trusted(until)}`} of ${foreign(origin.name)}`;
