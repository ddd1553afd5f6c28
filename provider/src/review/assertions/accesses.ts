import { everything } from '../access/address-space';
import type { AddressBounds } from '../access/bounds';
import { exactly, independently } from '../access/bounds';
import type { PolicyChange } from '../access/policy-change';
import type { AddressAccess, SubjectAccess, UserAgentAccess } from '../access/subject-access';
import type { TrafficPolicyDeclaration } from '../model/declarations';
import { valueOf } from '../model/known';
import { pairByKey } from '../model/pairing';
import type { StackChange } from '../model/snapshot';
import { changedRows } from '../user-agents/decision-table';
import type { RouteDecisions } from '../report/report';
import { emptyCidrSet } from '../../values/cidr-set';

/** What is not decided may let in everybody, or nobody. */
const ANYBODY: AddressBounds = { surely: emptyCidrSet, possibly: everything };

/** The bounds of every policy, TCP edge and route of the stack. */
export const accessesOf = (
  stack: StackChange,
  { policies, routes }: { policies: readonly PolicyChange[]; routes: readonly RouteDecisions[] },
): SubjectAccess[] => [
  ...policies.map((policy) => policy.access),
  ...pairByKey(stack.before.trafficPolicies, stack.after.trafficPolicies, (policy) => policy.edgeId).map(
    ({ key, before, after }) => accessOfEdge(key, before, after),
  ),
  ...routes.map((route) => accessOfRoute(route, stack)),
];

function accessOfEdge(
  subject: string,
  before: readonly TrafficPolicyDeclaration[],
  after: readonly TrafficPolicyDeclaration[],
): AddressAccess {
  const side = (modules: readonly TrafficPolicyDeclaration[]) =>
    modules.every((module) => valueOf(module.isEnabled) === false) ? exactly(everything) : ANYBODY;
  const bounds = { kind: 'tcp-edge' as const, subject, doubts: [] };
  if (isSameText(before.map(inputsOf), after.map(inputsOf))) {
    const none = exactly(emptyCidrSet);
    return { ...bounds, before: side(before), after: side(after), gained: none, lost: none };
  }
  return { ...bounds, ...independently(side(before), side(after)) };
}

const inputsOf = ({ isEnabled, value }: TrafficPolicyDeclaration) => [isEnabled, value];

const isSameText = (left: unknown, right: unknown): boolean =>
  JSON.stringify(left) === JSON.stringify(right) && !JSON.stringify(left).includes('"isKnown":false');

function accessOfRoute({ routeKey, rows }: RouteDecisions, { before, after }: StackChange): UserAgentAccess {
  const filtersOf = (side: StackChange['before']) =>
    side.userAgentFilters
      .filter((filter) => valueOf(filter.routeKey) === routeKey)
      .map(({ isEnabled, allow, deny }) => [isEnabled, allow, deny]);
  const isSame = isSameText(filtersOf(before), filtersOf(after));
  const shift = (isLetInAfter: boolean) => {
    const witnesses = changedRows(rows, isLetInAfter).map(({ entry }) => entry.userAgent);
    const extent = witnesses.length > 0 ? ('some' as const) : ('undecided' as const);
    return { extent: isSame ? ('none' as const) : extent, witnesses };
  };
  return { kind: 'route', subject: routeKey, gained: shift(true), lost: shift(false), doubts: [] };
}
