import { type Cidr, overlaps } from 'pulumi-edge-policy/internal/values/cidr';
import { type CidrSet, cidrSetOf, isEmptyCidrSet, touches } from '../access/cidr-set';
import { contributorsTo, widestFirst } from '../access/rule-effects';
import { type IpModel, letsUnmatchedIn } from '../access/evaluation-model';
import type { PolicyChange } from '../access/policy-change';
import type { VisibleRule } from '../model/declarations';
import { count, foreign, list, listOf, say, type Sentence, trusted } from '../text/sentence';
import { invalidPattern, type PatternList } from '../user-agents/filter-logic';
import type { FilterList } from '../user-agents/user-agent-model';
import type { RouteAccess } from '../user-agents/route-access';
import { ALL_CLIENTS, type Extent } from './severity';
import type { Where } from './finding';

export interface Causes {
  /** Whether everybody gets in who is not refused, so that refusals are the only protection. */
  readonly isOpenByDefault: boolean;
  /** Whether everything that decides is known; otherwise it cannot be said that everybody gets in, or nobody. */
  readonly isWhole: boolean;
  readonly ofGain: (networks: readonly Cidr[]) => Where;
  readonly ofLoss: (networks: readonly Cidr[]) => Where;
  readonly notesOfGain?: (gained: CidrSet) => readonly Sentence[];
}

export const causesOf = (policy: PolicyChange, model: IpModel): Causes => ({
  ofGain: (networks) => causeOfMove(policy, networks, { isGain: true, model }),
  ofLoss: (networks) => causeOfMove(policy, networks, { isGain: false, model }),
  isOpenByDefault: letsUnmatchedIn(model),
  isWhole: true,
  notesOfGain: (gained) => gainNotes(policy, gained, model),
});

export const unplacedCausesOf = (policy: PolicyChange): Causes => ({
  ofGain: (networks) => causeOf(policy, networks, 'allow'),
  ofLoss: (networks) => causeOf(policy, networks, 'deny'),
  isOpenByDefault: false,
  isWhole: false,
});

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
  const { policyId: subject } = policy;
  return { subject, origin: rule.origin, property: rule.property, list: listBehind(policy, networks) };
}

/** Nothing if the changed rules for these networks are not all from one named list. */
function listBehind({ added, removed }: PolicyChange, networks: readonly Cidr[]): Sentence | undefined {
  const moved = cidrSetOf(networks);
  const [name, ...others] = new Set(
    [...added, ...removed].flatMap(({ cidr, list }) => (touches(moved, cidr) ? [list] : [])),
  );
  if (name === undefined || others.length > 0) return undefined;
  const networksIn = (rules: readonly VisibleRule[]) =>
    new Set(rules.flatMap((rule) => (rule.list === name ? [rule.cidr.text] : [])));
  const [come, gone] = [networksIn(added), networksIn(removed)];
  const parts = [...countOnlyIn(come, gone, 'more'), ...countOnlyIn(gone, come, 'fewer')];
  // A rule with another end is on both sides.
  return say`${foreign(name)}: ${parts.length === 0 ? trusted('other ends') : list(parts)}`;
}

function countOnlyIn(some: ReadonlySet<string>, others: ReadonlySet<string>, what: string): Sentence[] {
  const only = [...some].filter((text) => !others.has(text)).length;
  return only === 0 ? [] : [say`${count(only, 'network')} ${trusted(what)}`];
}

export function causeOf(
  policy: PolicyChange,
  networks: readonly Cidr[],
  action: VisibleRule['action'],
): Where {
  const [largest] = networks;
  const matches = (rule: VisibleRule) =>
    policy.changedUrns.has(rule.origin.urn) && largest !== undefined && overlaps(rule.cidr, largest);
  const rule =
    policy.after.rules.find((candidate) => candidate.action === action && matches(candidate)) ??
    policy.before.rules.find((candidate) => candidate.action !== action && matches(candidate)) ??
    policy.after.rules.find((candidate) => policy.changedUrns.has(candidate.origin.urn));
  return { subject: policy.policyId, origin: rule?.origin, property: rule?.property };
}

const NAMED = 10;

function gainNotes(policy: PolicyChange, gained: CidrSet, model: IpModel): Sentence[] {
  if (isEmptyCidrSet(gained)) return [];
  const { added, removed } = contributorsTo(policy, gained, { isGain: true, model });
  return changedHere([...moved(added, nameOf, 'added'), ...moved(removed, nameOf, 'removed')]);
}

/** Of a user agent filter, the allow patterns that come and the deny patterns that go; none if a whole filter comes or goes. */
export function routeGainNotes({ before, after }: RouteAccess['sides']): Sentence[] {
  if (before.kind === 'open' || after.kind === 'open') return [];
  return changedHere([
    ...moved(patternsOnlyIn(after.allow, before.allow), ofList('allow'), 'added'),
    ...moved(patternsOnlyIn(before.deny, after.deny), ofList('deny'), 'removed'),
  ]);
}

/** The patterns that a change of a filter touches; all clients, if it is not by these alone that their access changes. */
export function extentOfRoute({ before, after }: RouteAccess['sides']): Extent {
  if (before.kind === 'open' || after.kind === 'open') return { patterns: [ALL_CLIENTS] };
  const lists = [
    [before.allow, after.allow],
    [before.deny, after.deny],
  ] as const;
  const isVisible = lists
    .flat()
    .every(({ unknowns }) => unknowns.every((each) => invalidPattern(each).length > 0));
  const touched = lists.flatMap(([old, now]) => [...patternsOnlyIn(old, now), ...patternsOnlyIn(now, old)]);
  return { patterns: isVisible && touched.length > 0 ? touched : [ALL_CLIENTS] };
}

const ofList = (list: FilterList) => (text: string) => say`${trusted(list)} pattern ${foreign(text)}`;

function patternsOnlyIn(list: PatternList, other: PatternList): string[] {
  const others = new Set(patternsOf(other));
  return patternsOf(list).filter((pattern) => !others.has(pattern));
}

const patternsOf = ({ patterns, unknowns }: PatternList): string[] => [
  ...patterns,
  ...unknowns.flatMap(invalidPattern),
];

const changedHere = (causes: readonly Sentence[]): Sentence[] =>
  causes.length === 0 ? [] : [say`Cause: ${list(causes, causes.length)}.`];

const moved = <T>(things: readonly T[], write: (thing: T) => Sentence, what: string): Sentence[] =>
  things.length === 0
    ? []
    : [say`${listOf(things, write, NAMED)} ${trusted(things.length === 1 ? 'is' : 'are')} ${trusted(what)}`];

const nameOf = ({ action, cidr, until, origin }: VisibleRule): Sentence =>
  say`${trusted(action)} ${foreign(cidr.text)}${until === undefined ? [] : say` until ${trusted(until)}`} of ${foreign(origin.name)}`;
