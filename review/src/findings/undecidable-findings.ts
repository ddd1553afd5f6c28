import type { ResourceChange } from '../model/resource-change';
import type { StackChange } from '../model/snapshot';
import { OBSTACLES } from '../access/doubts';
import type { Known } from '../model/known';
import type { Origin } from '../model/declarations';
import { foreign, say } from '../report/sentence';
import type { Finding } from './finding';
import { finding } from './finding';

/**
 * A resource that is replaced, and of which the policy, edge or route is hidden, may have moved from one to another.
 * What else is hidden widens the bounds of its subject, and is told with them.
 */
export function undecidableFindings({ changes, before, after }: StackChange): Finding[] {
  const replaced = new Set(changes.filter(({ kind }) => kind === 'replace').map(urnOf));
  if (replaced.size === 0) return [];
  const places = [before, after].flatMap((snapshot) => [
    ...snapshot.rules.map(({ origin, policyId }) => ({ origin, property: 'ipPolicyId', place: policyId })),
    ...snapshot.trafficPolicies.map(({ origin, edgeId }) => ({ origin, property: 'edgeId', place: edgeId })),
    ...snapshot.userAgentFilters.map(({ origin, routeKey }) => ({
      origin,
      property: 'routeId',
      place: routeKey,
    })),
  ]);
  const hidden = places.filter(({ origin, place }) => !place.isKnown && replaced.has(origin.urn));
  return [...new Map(hidden.map((part) => [part.origin.urn, notDecidable(part)])).values()];
}

const urnOf = ({ before, after }: ResourceChange): string => (before ?? after)?.origin.urn ?? '';

function notDecidable({
  origin,
  property,
  place,
}: {
  origin: Origin;
  property: string;
  place: Known<string>;
}): Finding {
  const obstacle = OBSTACLES[place.isKnown ? 'unreadable' : place.obstacle];
  const reason = say`The ${foreign(property)} of ${foreign(origin.name)} ${obstacle}, so what it does to access cannot be told.`;
  return finding('not-decidable', { reason, where: { origin, property } });
}
