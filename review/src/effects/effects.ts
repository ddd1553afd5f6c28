// What for: who gets in by all filters together, under the assumptions of the review, and what is to be said of it.
// Must not know: `guards`, `explain` and `report`.
import type { ModuleParent } from 'pulumi-edge-policy/internal/resources/module-kind';
import { type PolicyChange, policyChanges, unplacedPolicies } from '../access/policy-change';
import type { SubjectAccess } from '../access/subject-access';
import type { FinderContext } from '../findings/assumptions';
import type { StackChange } from '../model/snapshot';
import type { Evaluation } from './evaluator';
import { fromEvaluators } from './evaluators';
import { typesAt } from '../model/read-modules';
import { MODULE_TYPES } from '../preview/resource-type';

/** What the change does to every policy, edge and route; those that are hidden count as one each. */
export interface Effects {
  readonly policies: readonly PolicyChange[];
  readonly unplaced: readonly PolicyChange[];
  readonly modules: readonly Evaluation[];
}

/** Who gets in by each policy, edge and route, before and after, from the time of the apply on. */
export function effectsOf(stack: StackChange, context: FinderContext, nowMs: number): Effects {
  const { ipModel } = context.assumptions;
  return {
    policies: policyChanges(stack, ipModel, nowMs),
    unplaced: unplacedPolicies(stack, ipModel, nowMs),
    modules: fromEvaluators(MODULE_TYPES, (evaluator) => [evaluator.evaluate(stack, context)]),
  };
}

/** Who gets in by the modules of each such object alone. */
export const accessesAt = (
  parent: ModuleParent,
  stack: StackChange,
  context: FinderContext,
): SubjectAccess[] =>
  fromEvaluators(typesAt(parent), (evaluator) => evaluator.evaluate(stack, context).accesses);

/** The access of all subjects, of whatever kind, at the apply and then at later moments. */
export const accessesOf = ({ policies, unplaced, modules }: Effects): SubjectAccess[] => [
  ...[...policies, ...unplaced].map(({ access }) => access),
  ...[...policies, ...unplaced].flatMap(({ later }) => later),
  ...modules.flatMap(({ accesses }) => accesses),
];
