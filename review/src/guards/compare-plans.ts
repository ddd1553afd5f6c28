import { hasEnded } from 'pulumi-edge-policy/internal/values/until';
import type { Finding } from '../findings/finding';
import { finding } from '../findings/catalog';
import { count, foreign, list, say, type Sentence, trusted } from '../text/sentence';
import { plain } from '../text/escape';
import { parseUrn } from '../preview/resource-type';
import type { PlannedItem } from './planned-items';
import { isConcerned, type PlannedResource, planOf, type Reviewed, type ReviewedPlan } from './reviewed-plan';

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
}

export interface CheckedPlan {
  readonly plan: ReviewedPlan;
  readonly expected?: { readonly plan: ReviewedPlan; readonly comparison: PlanComparison };
}

export function checkPlan(
  reviewed: Reviewed,
  { expected, nowMs }: { readonly expected: ReviewedPlan | undefined; readonly nowMs: number },
): CheckedPlan {
  const plan = planOf(reviewed);
  if (!expected || !reviewed.isWhole) return { plan };
  return { plan, expected: { plan: expected, comparison: comparePlans(expected, plan, nowMs) } };
}

export const planFindings = ({ expected }: CheckedPlan): Finding[] =>
  (expected?.comparison.differences ?? []).map(({ about, reason }) =>
    finding('plan-differs', { where: { subject: about }, reason: say`Not as reviewed: ${reason}.` }),
  );

function comparePlans(reviewed: ReviewedPlan, fresh: ReviewedPlan, nowMs: number): PlanComparison {
  const left = new Map(reviewed.resources.map((resource) => [resource.urn, resource]));
  const differences = fresh.resources.flatMap((resource): PlanDifference[] => {
    const earlier = left.get(resource.urn);
    left.delete(resource.urn);
    const reasons = [
      endedIn(resource, nowMs),
      earlier ? differenceOf(earlier, resource) : unreviewed(resource),
    ];
    return reasons.flatMap((reason) => (reason ? [{ about: resource.urn, reason }] : []));
  });
  const isAbout = new Set(fresh.subjects);
  // Neighbours of what is not planned any more say nothing new.
  const missing = [...left.values()].filter((resource) => isConcerned(resource, isAbout));
  const gone = missing.map((resource): PlanDifference => ({
    about: resource.urn,
    reason: say`${nameOf(resource)} is not in this plan any more`,
  }));
  return {
    differences: [...differences, ...gone, ...elsewhere(reviewed, fresh)],
    notCovered: fresh.resources.filter(isPartlySecret).map(({ urn }) => urn),
  };
}

function elsewhere(reviewed: ReviewedPlan, fresh: ReviewedPlan): PlanDifference[] {
  const about = `${fresh.project}/${fresh.stack}`;
  const before = `${reviewed.project}/${reviewed.stack}`;
  return [
    before !== about && {
      about,
      reason: say`the stack is ${foreign(about)}, but ${foreign(before)} was reviewed`,
    },
    JSON.stringify(reviewed.services) !== JSON.stringify(fresh.services) && {
      about: fresh.stack,
      reason: trusted('requests would go to a service or account other than the reviewed one'),
    },
  ].filter((difference) => difference !== false);
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

/** Items are in order. What is hidden looks alike, whatever it is. */
const isSame = (left: readonly PlannedItem[], right: readonly PlannedItem[]): boolean =>
  JSON.stringify(left) === JSON.stringify(right);

/** An update sends what differs from before, too. */
const isPartlySecret = ({ operation, before, after }: PlannedResource): boolean =>
  [...after, ...(operation === 'update' ? before : [])].some((item) =>
    Object.values(item).some((value) => typeof value !== 'string' && value.hidden !== 'unknown'),
  );

/** The result must be the reviewed one, and so must the starting point and the way. */
function differenceOf(earlier: PlannedResource, now: PlannedResource): Sentence | undefined {
  const name = nameOf(now);
  if (earlier.provider !== now.provider) return say`the requests of ${name} would go to another provider`;
  if (!isSame(earlier.after, now.after))
    return say`${name} would end up ${inWords(now.after, earlier.after)}`;
  if (!isSame(earlier.before, now.before))
    return say`${name} has changed: now ${inWords(now.before, earlier.before)}`;
  if (JSON.stringify(earlier.ids) !== JSON.stringify(now.ids))
    return say`${name} is another object of the service than the reviewed one`;
  if (earlier.operation === now.operation) return undefined;
  return say`${name} is planned as ${trusted(now.operation)}, but was reviewed as ${trusted(earlier.operation)}`;
}

/** The entries that only one of the lists has, the first few of them; those that differ in what is not shown once. */
function inWords(items: readonly PlannedItem[], others: readonly PlannedItem[]): Sentence {
  const onlyIn = (some: readonly PlannedItem[], other: readonly PlannedItem[]): Sentence[] => {
    const known = new Set(other.map((item) => JSON.stringify(item)));
    return some.filter((item) => !known.has(JSON.stringify(item))).map(describeItem);
  };
  const [come, go] = [onlyIn(items, others), onlyIn(others, items)];
  const [added, removed] = [come, go].map((sentences) => new Set(sentences.map(plain)));
  const retold = come.filter((sentence) => removed?.has(plain(sentence)));
  const fresh = come.filter((sentence) => !removed?.has(plain(sentence)));
  const gone = go.filter((sentence) => !added?.has(plain(sentence)));
  const parts = [
    retold.length > 0 && say`with other texts, or in another form: ${list(retold)}`,
    fresh.length > 0 && say`with ${list(fresh)}`,
    gone.length > 0 && say`without ${list(gone)}`,
  ].filter((part) => part !== false);
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

export function comparisonSentence(hash: string, { differences }: PlanComparison): Sentence {
  const plan = foreign(hash.slice(0, 12));
  return differences.length === 0
    ? say`This is the reviewed plan ${plan}.`
    : say`This is not the reviewed plan ${plan}: ${count(differences.length, 'difference')}.`;
}
