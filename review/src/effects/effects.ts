// What for: who gets in by all filters together, under the assumptions of the review.
// Must not know: `findings`, `assertions` and `report`.
import type { PolicyChange } from '../access/policy-change';
import { policyChanges, unplacedPolicies } from '../access/policy-change';
import type { AddressAccess, SubjectAccess } from '../access/subject-access';
import type { StackChange } from '../model/snapshot';
import type { FinderContext } from './assumptions';
import { edgeAccess, unplacedEdges } from '../traffic-policy/edge-access';
import type { RouteAccess, UserAgentContext } from '../user-agents/route-access';
import { routeAccess, unplacedRoutes } from '../user-agents/route-access';

/** What the change does to every policy, edge and route; those that are hidden count as one each. */
export interface Effects {
  readonly policies: readonly PolicyChange[];
  readonly unplaced: readonly PolicyChange[];
  readonly edges: readonly AddressAccess[];
  readonly routes: readonly RouteAccess[];
}

/** Who gets in by each policy, edge and route, before and after. */
export function effectsOf(stack: StackChange, context: FinderContext): Effects {
  const { assumptions } = context;
  const ipAssumptions = { model: assumptions.ipModel, emptyPolicy: assumptions.emptyPolicy };
  const userAgents = userAgentContext(context);
  return {
    policies: policyChanges(stack, ipAssumptions),
    unplaced: unplacedPolicies(stack, ipAssumptions),
    edges: [...edgeAccess(stack, assumptions), ...unplacedEdges(stack, assumptions)],
    routes: [...routeAccess(stack, userAgents), ...unplacedRoutes(stack, userAgents)],
  };
}

/** The basis of verdicts on user agents. */
export const userAgentContext = ({ assumptions, corpus }: FinderContext): UserAgentContext => ({
  model: assumptions.userAgentModel,
  corpus,
});

/** The access of all subjects, of whatever kind. */
export const accessesOf = ({ policies, unplaced, edges, routes }: Effects): SubjectAccess[] => [
  ...[...policies, ...unplaced].map(({ access }) => access),
  ...edges,
  ...routes,
];
