import { type CidrSet, isEmptyCidrSet } from '../access/cidr-set';
import { contributorsTo } from '../access/contributing-rules';
import type { IpModel } from '../access/evaluation-model';
import type { PolicyChange } from '../access/policy-change';
import type { VisibleRule } from '../model/declarations';
import { foreign, listOf, list, say, type Sentence, trusted } from '../text/sentence';
import type { PatternChange } from '../user-agents/contributing-patterns';

/** How many rules are named before the rest is only counted. */
const NAMED = 10;

/** Notes for below a finding: which changed rules contribute to a gain. */
export function gainNotes(policy: PolicyChange, gained: CidrSet, model: IpModel): Sentence[] {
  if (isEmptyCidrSet(gained)) return [];
  const { added, removed } = contributorsTo(policy, gained, model);
  return changedHere([...moved(added, nameOf, 'added'), ...moved(removed, nameOf, 'removed')]);
}

/** The same of a user agent filter, by its patterns. */
export const routeGainNotes = (contributors: readonly PatternChange[]): Sentence[] =>
  changedHere(
    [true, false].flatMap((isAdded) =>
      moved(
        contributors.filter((change) => change.isAdded === isAdded),
        ({ list: name, pattern }) => say`${trusted(name)} pattern ${foreign(pattern)}`,
        isAdded ? 'added' : 'removed',
      ),
    ),
  );

const changedHere = (causes: readonly Sentence[]): Sentence[] =>
  causes.length === 0 ? [] : [say`Cause: ${list(causes, causes.length)}.`];

/** The things of one kind of change, with a verb. */
const moved = <T>(things: readonly T[], write: (thing: T) => Sentence, what: string): Sentence[] =>
  things.length === 0
    ? []
    : [say`${listOf(things, write, NAMED)} ${trusted(things.length === 1 ? 'is' : 'are')} ${trusted(what)}`];

const nameOf = ({ action, cidr, origin }: VisibleRule): Sentence =>
  say`${trusted(action)} ${foreign(cidr.text)} of ${foreign(origin.name)}`;
