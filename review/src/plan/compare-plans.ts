import { setOfTexts } from '../access/network-sets';
import type { CidrSet } from 'pulumi-edge-policy/internal/values/cidr-set';
import { isEmptyCidrSet, subtract, toCidrs } from 'pulumi-edge-policy/internal/values/cidr-set';
import { hasEnded } from 'pulumi-edge-policy/internal/values/until';
import { networksWithSize } from '../text/amounts';
import type { Sentence } from '../text/sentence';
import { count, foreign, list, say, trusted } from '../text/sentence';
import type { SubjectAccess } from '../access/subject-access';
import type { ItemComparison } from './compare-items';
import { compareItems } from './compare-items';
import type { PlannedItem } from './planned-items';
import type { PlannedResource, ReviewedPlan } from './reviewed-plan';

/** A difference between a plan and the reviewed one. */
export interface PlanDifference {
  /** The URN of the resource, or the subject whose bounds are exceeded. */
  readonly about: string;
  readonly reason: Sentence;
}

/** How a new plan compares with the reviewed one. They are the same if there is no difference. */
export interface PlanComparison {
  readonly differences: readonly PlanDifference[];
  /** Values that were unknown at the review, and what they have become. */
  readonly nowKnown: readonly Sentence[];
  /** Resources with secret parts, so that it is unknown whether they are the same. */
  readonly notCovered: readonly string[];
  /** Resources that are already as reviewed. */
  readonly applied: number;
}

/** The new preview: who gets in, and the time of the comparison. */
export interface FreshReview {
  readonly accesses: readonly SubjectAccess[];
  readonly nowMs: number;
}

/** Compares a new plan with the reviewed one. */
export function comparePlans(
  reviewed: ReviewedPlan,
  fresh: ReviewedPlan,
  { accesses, nowMs }: FreshReview,
): PlanComparison {
  const left = new Map(reviewed.resources.map((resource) => [resource.urn, resource]));
  const differences: PlanDifference[] = [];
  const [nowKnown, notCovered]: [Sentence[], string[]] = [[], []];
  let applied = 0;
  for (const resource of fresh.resources) {
    const earlier = left.get(resource.urn);
    left.delete(resource.urn);
    const result = earlier ? compareResources(earlier, resource) : unreviewed(resource);
    const ended = endedIn(resource, nowMs);
    if (ended) differences.push({ about: resource.urn, reason: ended });
    if (result.difference) differences.push({ about: resource.urn, reason: result.difference });
    nowKnown.push(...result.nowKnown.map((item) => becameSentence(resource, item)));
    if (result.isPartlySecret) notCovered.push(resource.urn);
    applied += Number(result.isApplied === true);
  }
  for (const resource of left.values()) {
    // A resource that was to be deleted and no longer exists has already been deleted.
    if (resource.operation === 'delete') applied += 1;
    else differences.push({ about: resource.urn, reason: say`${nameOf(resource)} no longer exists` });
  }
  const [before, now] = [reviewed, fresh].map(({ project, stack }) => `${project}/${stack}`);
  if (before !== now && now !== undefined && before !== undefined)
    differences.push({
      about: now,
      reason: say`the stack is ${foreign(now)}, but ${foreign(before)} was reviewed`,
    });
  if (JSON.stringify(reviewed.services) !== JSON.stringify(fresh.services))
    differences.push({
      about: fresh.stack,
      reason: trusted('requests would go to another service or account than the reviewed one'),
    });
  return { differences: [...differences, ...outOfBounds(reviewed, accesses)], nowKnown, notCovered, applied };
}

/** A rule that the preview still shows, and that the up leaves out. */
function endedIn(resource: PlannedResource, nowMs: number): Sentence | undefined {
  const ended = resource.after.filter(({ until }) => typeof until === 'string' && hasEnded(until, nowMs));
  return ended.length === 0
    ? undefined
    : say`${nameOf(resource)} has rules that ended after the preview, ${list(ended.map(describeItem))}`;
}

type ResourceComparison = Omit<ItemComparison, 'isSame'> & {
  readonly difference?: Sentence;
  readonly isApplied?: boolean;
};

const NOTHING = { nowKnown: [], isPartlySecret: false };

const unreviewed = (resource: PlannedResource): ResourceComparison => ({
  ...NOTHING,
  difference:
    resource.operation === 'unchanged'
      ? say`${nameOf(resource)} was added to the stack since`
      : say`${trusted(resource.operation)} of ${nameOf(resource)} was not reviewed`,
});

/**
 * The result must be the reviewed one, and so must the starting point; or the result has already been reached, as an earlier
 * run was interrupted.
 */
function compareResources(earlier: PlannedResource, now: PlannedResource): ResourceComparison {
  const after = compareItems(earlier.after, now.after);
  const name = nameOf(now);
  if (!after.isSame)
    return { ...NOTHING, difference: say`${name} would end up ${inWords(now.after, earlier.after)}` };
  const isReached = earlier.operation !== 'unchanged' && compareItems(earlier.after, now.before).isSame;
  if (isReached && now.operation === 'unchanged') return { ...after, isApplied: true };
  // If a replacement could not delete the old object yet, a later run finishes it.
  const isResumed =
    now.operation === 'replace' && compareItems([...earlier.before, ...earlier.after], now.before).isSame;
  if (!isReached && !isResumed && !compareItems(earlier.before, now.before).isSame)
    return {
      ...after,
      difference: say`${name} has changed: now ${inWords(now.before, earlier.before)}`,
    };
  if (earlier.operation === now.operation || (isReached && now.operation === 'update')) return after;
  return {
    ...after,
    difference: say`${name} is planned as ${trusted(now.operation)}, but was reviewed as ${trusted(earlier.operation)}`,
  };
}

/** The entries that only one of the lists has, the first few of them. */
function inWords(items: readonly PlannedItem[], others: readonly PlannedItem[]): Sentence {
  const known = new Set(others.map((item) => JSON.stringify(item)));
  const own = new Set(items.map((item) => JSON.stringify(item)));
  const fresh = items.filter((item) => !known.has(JSON.stringify(item)));
  const gone = others.filter((item) => !own.has(JSON.stringify(item)));
  const parts = [
    ...(fresh.length === 0 ? [] : [say`with ${list(fresh.map(describeItem))}`]),
    ...(gone.length === 0 ? [] : [say`without ${list(gone.map(describeItem))}`]),
  ];
  return parts.length === 0 ? trusted('something else') : list(parts);
}

/** A rule by its network. The texts of policies and patterns may be long, so they are named and not shown. */
function describeItem(item: PlannedItem): Sentence {
  const { cidr, action, until, subject } = item;
  if (typeof cidr === 'string' && typeof action === 'string')
    return say`${foreign(`${action} ${cidr}${typeof until === 'string' ? ` until ${until}` : ''}`)}`;
  const isSwitch = item['overwrites'] !== undefined;
  const other = trusted(isSwitch ? 'overwriteExisting' : 'other content');
  const what = cidr === undefined ? other : trusted('a hidden rule');
  return typeof subject === 'string' ? say`${what} of ${foreign(subject)}` : what;
}

const becameSentence = (resource: PlannedResource, item: PlannedItem): Sentence =>
  say`${nameOf(resource)}: ${list(
    Object.entries(item).map(
      ([name, value]) => say`${foreign(name)} ${foreign(typeof value === 'string' ? value : value.hidden)}`,
    ),
    4,
  )}`;

const nameOf = ({ urn }: PlannedResource): Sentence => say`${foreign(urn.split('::').slice(3).join('::'))}`;

/** The approver saw bounds; values that have become known since must stay within them. */
function outOfBounds(reviewed: ReviewedPlan, accesses: readonly SubjectAccess[]): PlanDifference[] {
  return reviewed.bounds.flatMap(({ kind, subject, surely, possibly }) => {
    const access = accesses.find((candidate) => candidate.kind === kind && candidate.subject === subject);
    if (!access || access.kind === 'route') return [];
    const wider = subtract(access.after.possibly, setOfTexts(possibly));
    const narrower = subtract(setOfTexts(surely), access.after.surely);
    return [
      ...outside(subject, wider, trusted('may get in, which was ruled out when it was reviewed')),
      ...outside(subject, narrower, trusted('may be kept out, which was ruled out when it was reviewed')),
    ];
  });
}

const outside = (subject: string, set: CidrSet, what: Sentence): PlanDifference[] =>
  isEmptyCidrSet(set)
    ? []
    : [{ about: subject, reason: say`by ${foreign(subject)} ${networksWithSize(toCidrs(set))} ${what}` }];

/** The comparison in one sentence. */
export function comparisonSentence(hash: string, { differences, applied }: PlanComparison): Sentence {
  const plan = foreign(hash.slice(0, 12));
  if (differences.length > 0)
    return say`This is not the reviewed plan ${plan}: ${count(differences.length, 'difference')}.`;
  return applied === 0
    ? say`This is the reviewed plan ${plan}.`
    : say`This is the reviewed plan ${plan}, of which ${count(applied, 'resource')} ${trusted(applied === 1 ? 'is' : 'are')} already applied.`;
}
