import { hasEnded } from 'pulumi-edge-policy/internal/values/until';
import { type Finding, finding } from '../findings/finding';
import { count, foreign, list, say, type Sentence, trusted } from '../text/sentence';
import { parseUrn } from '../preview/resource-urn';
import type { PlannedItem } from './planned-items';
import { type PlannedResource, planOf, type Reviewed, type ReviewedPlan } from './reviewed-plan';

/** A difference between a plan and the reviewed one. */
export interface PlanDifference {
  /** The URN of the resource, or the stack. */
  readonly about: string;
  readonly reason: Sentence;
}

/** How a new plan compares with the reviewed one. They are the same if there is no difference. */
export interface PlanComparison {
  readonly differences: readonly PlanDifference[];
  /** Resources with hidden parts, so that it is unknown whether they are the same. */
  readonly notCovered: readonly string[];
  /** Resources that are already as reviewed. */
  readonly applied: number;
}

/** The plan of a review, and how it compares with the approved one, if any. */
export interface CheckedPlan {
  readonly plan: ReviewedPlan;
  readonly expected?: { readonly plan: ReviewedPlan; readonly comparison: PlanComparison };
}

/** Makes the plan, and compares it with the expected one. */
export function checkPlan(
  reviewed: Reviewed,
  { expected, nowMs }: { readonly expected: ReviewedPlan | undefined; readonly nowMs: number },
): CheckedPlan {
  const plan = planOf(reviewed);
  if (!expected || !reviewed.isWhole) return { plan };
  // Parts that are already done no longer touch anything, and must be compared nevertheless.
  const comparison = comparePlans(expected, planOf(reviewed, expected), nowMs);
  return { plan, expected: { plan: expected, comparison } };
}

/** One finding for each resource that is planned differently than approved. */
export const planFindings = ({ expected }: CheckedPlan): Finding[] =>
  (expected?.comparison.differences ?? []).map(({ about, reason }) =>
    finding('plan-differs', { where: { subject: about }, reason: say`Not as reviewed: ${reason}.` }),
  );

function comparePlans(reviewed: ReviewedPlan, fresh: ReviewedPlan, nowMs: number): PlanComparison {
  const left = new Map(reviewed.resources.map((resource) => [resource.urn, resource]));
  const differences: PlanDifference[] = [];
  let applied = 0;
  for (const resource of fresh.resources) {
    const earlier = left.get(resource.urn);
    left.delete(resource.urn);
    const reasons = [
      endedIn(resource, nowMs),
      earlier ? differenceOf(earlier, resource) : unreviewed(resource),
    ];
    differences.push(...reasons.flatMap((reason) => (reason ? [{ about: resource.urn, reason }] : [])));
    applied += Number(earlier !== undefined && isApplied(earlier, resource));
  }
  for (const resource of left.values()) {
    // A resource that was to leave the stack and no longer exists has already left it.
    if (LEAVES.has(resource.operation)) applied += 1;
    else differences.push({ about: resource.urn, reason: say`${nameOf(resource)} no longer exists` });
  }
  return {
    differences: [...differences, ...elsewhere(reviewed, fresh)],
    notCovered: fresh.resources.filter(isPartlySecret).map(({ urn }) => urn),
    applied,
  };
}

/** The operations after which the stack does not have the resource any more. */
const LEAVES: ReadonlySet<PlannedResource['operation']> = new Set(['delete', 'forget']);

/** Differences of the stack as a whole. */
function elsewhere(reviewed: ReviewedPlan, fresh: ReviewedPlan): PlanDifference[] {
  const about = `${fresh.project}/${fresh.stack}`;
  const before = `${reviewed.project}/${reviewed.stack}`;
  const isSameService = JSON.stringify(reviewed.services) === JSON.stringify(fresh.services);
  return [
    ...(before === about
      ? []
      : [{ about, reason: say`the stack is ${foreign(about)}, but ${foreign(before)} was reviewed` }]),
    ...(isSameService
      ? []
      : [
          {
            about: fresh.stack,
            reason: trusted('requests would go to a service or account other than the reviewed one'),
          },
        ]),
  ];
}

/** A rule that the preview still shows, and that the up leaves out. */
function endedIn(resource: PlannedResource, nowMs: number): Sentence | undefined {
  const ended = resource.after.filter(({ until }) => typeof until === 'string' && hasEnded(until, nowMs));
  return ended.length === 0
    ? undefined
    : say`${nameOf(resource)} has rules that ended after the preview, ${list(ended.map(describeItem))}`;
}

const unreviewed = (resource: PlannedResource): Sentence =>
  resource.operation === 'unchanged'
    ? say`${nameOf(resource)} was added to the stack since`
    : say`${trusted(resource.operation)} of ${nameOf(resource)} was not reviewed`;

/** What is hidden looks alike, whatever it is. */
const isSame = (left: readonly PlannedItem[], right: readonly PlannedItem[]): boolean =>
  left.length === right.length && textOf(left) === textOf(right);

const textOf = (items: readonly PlannedItem[]): string =>
  items
    .map((item) => JSON.stringify(item))
    .sort()
    .join('\n');

const isPartlySecret = ({ after }: PlannedResource): boolean =>
  after.some((item) =>
    Object.values(item).some((value) => typeof value !== 'string' && value.hidden !== 'unknown'),
  );

/** An earlier run, which may have been interrupted, has done what was reviewed. */
const isReached = (earlier: PlannedResource, now: PlannedResource): boolean =>
  earlier.operation !== 'unchanged' && isSame(earlier.after, now.before);

const isApplied = (earlier: PlannedResource, now: PlannedResource): boolean =>
  now.operation === 'unchanged' && isReached(earlier, now) && isSame(earlier.after, now.after);

/** The result must be the reviewed one, and so must the starting point; or the result has already been reached. */
function differenceOf(earlier: PlannedResource, now: PlannedResource): Sentence | undefined {
  const name = nameOf(now);
  if (earlier.provider !== now.provider) return say`the requests of ${name} would go to another provider`;
  if (!isSame(earlier.after, now.after))
    return say`${name} would end up ${inWords(now.after, earlier.after)}`;
  if (isApplied(earlier, now)) return undefined;
  const hasBegun = isReached(earlier, now);
  // If a replacement could not delete the old object yet, a later run finishes it.
  const isResumed = now.operation === 'replace' && isSame([...earlier.before, ...earlier.after], now.before);
  if (!hasBegun && !isResumed && !isSame(earlier.before, now.before))
    return say`${name} has changed: now ${inWords(now.before, earlier.before)}`;
  if (earlier.operation === now.operation || (hasBegun && now.operation === 'update')) return undefined;
  return say`${name} is planned as ${trusted(now.operation)}, but was reviewed as ${trusted(earlier.operation)}`;
}

/** The entries that only one of the lists has, the first few of them. */
function inWords(items: readonly PlannedItem[], others: readonly PlannedItem[]): Sentence {
  const onlyIn = (some: readonly PlannedItem[], known: ReadonlySet<string>) =>
    some.filter((item) => !known.has(JSON.stringify(item)));
  const [own, other] = [items, others].map((list) => new Set(list.map((item) => JSON.stringify(item))));
  const fresh = onlyIn(items, other ?? new Set());
  const gone = onlyIn(others, own ?? new Set());
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

const nameOf = ({ urn }: PlannedResource): Sentence => say`${foreign(parseUrn(urn).name)}`;

/** The comparison in one sentence. */
export function comparisonSentence(hash: string, { differences, applied }: PlanComparison): Sentence {
  const plan = foreign(hash.slice(0, 12));
  if (differences.length > 0)
    return say`This is not the reviewed plan ${plan}: ${count(differences.length, 'difference')}.`;
  return applied === 0
    ? say`This is the reviewed plan ${plan}.`
    : say`This is the reviewed plan ${plan}, of which ${count(applied, 'resource')} ${trusted(applied === 1 ? 'is' : 'are')} already applied.`;
}
