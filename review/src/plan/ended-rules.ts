import { spend } from '../budget/budget';
import { networksIn, setOfTexts } from '../access/counted-networks';
import type { CidrSet } from 'pulumi-edge-policy/internal/values/cidr-set';
import { subtract, union } from 'pulumi-edge-policy/internal/values/cidr-set';
import { hasEnded } from 'pulumi-edge-policy/internal/values/until';
import type { PlannedItem } from './planned-items';
import type { PlannedBounds, PlannedResource, ReviewedPlan } from './reviewed-plan';
import { subjectsOf } from './reviewed-plan';

/** The approved plan, and the new one. */
interface BothPlans {
  readonly reviewed: ReviewedPlan;
  readonly fresh: ReviewedPlan;
}

/**
 * Both plans without the rules that have ended since the approval, as their removal was approved with their ends. A rule that
 * the new plan creates stays in it, whatever its end is.
 */
export function withoutEndedRules({ reviewed, fresh }: BothPlans, nowMs: number): BothPlans {
  if (![...reviewed.resources, ...fresh.resources].some((resource) => hasEndedRule(resource, nowMs)))
    return { reviewed, fresh };
  const settledNow = fresh.resources.map((resource) =>
    settled(resource, { ...resource, before: resource.before.filter(isStillIn(resource.after, nowMs)) }),
  );
  const planned = new Map(settledNow.map((resource) => [resource.urn, resource]));
  return {
    reviewed: {
      ...reviewed,
      resources: reviewed.resources.map((resource) => {
        const now = planned.get(resource.urn);
        return settled(resource, {
          before: resource.before.filter(isStillIn(now?.before ?? [], nowMs)),
          after: resource.after.filter(isStillIn(now?.after ?? [], nowMs)),
        });
      }),
      bounds: reviewed.bounds.map((bounds) => boundsWithout(bounds, reviewed, nowMs)),
    },
    fresh: { ...fresh, resources: onlyTouched(settledNow, reviewed) },
  };
}

/** Policies in which rules only end were included because of these. */
function onlyTouched(resources: readonly PlannedResource[], { subjects, resources: approved }: ReviewedPlan) {
  const urns = new Set(approved.map(({ urn }) => urn));
  const changing = resources.filter(({ operation }) => operation !== 'unchanged');
  const touched = new Set([...subjects, ...changing.flatMap(subjectsOf)]);
  return resources.filter(
    (resource) =>
      urns.has(resource.urn) ||
      changing.includes(resource) ||
      subjectsOf(resource).some((subject) => touched.has(subject)),
  );
}

const isEnded = ({ until }: PlannedItem, nowMs: number): boolean =>
  typeof until === 'string' && hasEnded(until, nowMs);

const hasEndedRule = ({ before, after }: PlannedResource, nowMs: number): boolean =>
  [...before, ...after].some((item) => isEnded(item, nowMs));

function isStillIn(items: readonly PlannedItem[], nowMs: number): (item: PlannedItem) => boolean {
  const there = new Set(items.map((item) => JSON.stringify(item)));
  return (item) => !isEnded(item, nowMs) || there.has(JSON.stringify(item));
}

/** An update that only removed ended rules is none. */
function settled(
  resource: PlannedResource,
  items: Pick<PlannedResource, 'before' | 'after'>,
): PlannedResource {
  const isSame =
    items.before.length < resource.before.length &&
    JSON.stringify(items.before) === JSON.stringify(items.after);
  const operation = resource.operation === 'update' && isSame ? 'unchanged' : resource.operation;
  return { ...resource, ...items, operation };
}

/** The addresses of an ended allow need no access any more, and those of an ended deny may have it. */
function boundsWithout(bounds: PlannedBounds, { resources }: ReviewedPlan, nowMs: number): PlannedBounds {
  spend(10 * resources.reduce((count, { after }) => count + after.length, 1));
  const ended = (action: string): CidrSet =>
    setOfTexts(
      resources
        .flatMap(({ after }) => after)
        .filter(
          (item) => isEnded(item, nowMs) && item.subject === bounds.subject && item['action'] === action,
        )
        .map(({ cidr }) => cidr),
    );
  const textsOf = (set: CidrSet): string[] => networksIn(set).map(({ text }) => text);
  return {
    ...bounds,
    surely: textsOf(subtract(setOfTexts(bounds.surely), ended('allow'))),
    possibly: textsOf(union(setOfTexts(bounds.possibly), ended('deny'))),
  };
}
