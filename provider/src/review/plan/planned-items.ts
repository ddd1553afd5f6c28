import type { Known, Obstacle } from '../model/known';
import type { ResourceSide } from '../model/resource-change';
import { snapshotOf } from '../model/snapshot';
import { canonicalJson } from './canonical-json';

/** A value of a plan: a text, or why there is none. */
export type PlannedValue = string | { readonly hidden: Obstacle };

/**
 * One rule, traffic policy or filter: the values that access depends on, in one canonical form. `subject` is the policy,
 * the edge, or `edge/route`.
 */
export interface PlannedItem {
  readonly subject: PlannedValue;
  readonly [name: string]: PlannedValue;
}

/** What some resources of one side declare, in an order that does not depend on how it was written. */
export function itemsOf(sides: readonly ResourceSide[]): PlannedItem[] {
  const { rules, trafficPolicies, userAgentFilters, exclusivePolicyIds } = snapshotOf(sides);
  const isExclusive = exclusivePolicyIds.length > 0;
  const items = [
    ...rules.map(({ policyId, cidr, action }): PlannedItem => ({
      subject: planned(policyId),
      cidr: planned(cidr, (network) => network.text),
      action: planned(action),
    })),
    ...trafficPolicies.map(({ edgeId, isEnabled, value }): PlannedItem => ({
      subject: planned(edgeId),
      enabled: planned(isEnabled, String),
      value: planned(value, canonicalJson),
    })),
    ...userAgentFilters.map(({ routeKey, isEnabled, allow, deny }): PlannedItem => ({
      subject: planned(routeKey),
      enabled: planned(isEnabled, String),
      allow: planned(allow, patternsInOrder),
      deny: planned(deny, patternsInOrder),
    })),
    ...(isExclusive
      ? exclusivePolicyIds.map((subject): PlannedItem => ({ subject, exclusive: 'true' }))
      : []),
  ];
  return items
    .map((item) => ({ item, text: JSON.stringify(item) }))
    .sort((left, right) => (left.text < right.text ? -1 : Number(left.text > right.text)))
    .map(({ item }) => item);
}

function planned(value: Known<string>): PlannedValue;
function planned<T>(value: Known<T>, write: (value: T) => string): PlannedValue;
function planned<T>(value: Known<T>, write: (value: T) => string = String): PlannedValue {
  return value.isKnown ? write(value.value) : { hidden: value.obstacle };
}

/** The order of patterns decides nothing: any one that matches counts. */
const patternsInOrder = (patterns: readonly string[]): string => JSON.stringify([...patterns].sort());

/** The known subjects of what is planned for a resource. */
export const subjectsOf = (resource: {
  readonly before: readonly PlannedItem[];
  readonly after: readonly PlannedItem[];
}): string[] => [
  ...new Set(
    [...resource.before, ...resource.after].flatMap(({ subject }) =>
      typeof subject === 'string' ? [subject] : [],
    ),
  ),
];
