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
import { policyFindings, unplacedFindings } from '../findings/access-changes';
import { type Finding, markExisting } from '../findings/finding';
import { moduleStateFindings } from '../findings/modules';
import { needlessRuleFindings, outputTextFindings, undeclarableFindings } from '../findings/rules';
import { openness } from '../findings/access';
import {
  absentModuleFindings,
  contestedRuleFindings,
  exclusiveSetFindings,
  leftOnService,
  releasedPolicyFindings,
  takeOverFindings,
} from '../findings/up';
import { hiddenPlaceFindings } from '../findings/hidden-values';

/** What the change does to every policy, edge and route; those that are hidden count as one each. */
export interface Effects {
  readonly policies: readonly PolicyChange[];
  readonly unplaced: readonly PolicyChange[];
  readonly modules: readonly Evaluation[];
}

export function effectsOf(stack: StackChange, context: FinderContext, nowMs: number): Effects {
  const { ipModel } = context.assumptions;
  return {
    policies: policyChanges(stack, ipModel, nowMs),
    unplaced: unplacedPolicies(stack, ipModel, nowMs),
    modules: fromEvaluators(MODULE_TYPES, (evaluator) => [evaluator.evaluate(stack, context)]),
  };
}

export const accessesAt = (
  parent: ModuleParent,
  stack: StackChange,
  context: FinderContext,
): SubjectAccess[] =>
  fromEvaluators(typesAt(parent), (evaluator) => evaluator.evaluate(stack, context).accesses);

export const accessesOf = ({ policies, unplaced, modules }: Effects): SubjectAccess[] => [
  ...[...policies, ...unplaced].map(({ access }) => access),
  ...[...policies, ...unplaced].flatMap(({ later }) => later),
  ...modules.flatMap(({ accesses }) => accesses),
];

export function changeFindings(
  stack: StackChange,
  effects: Effects,
  {
    context: { assumptions },
    countsLiveRules,
    isProved,
  }: { readonly context: FinderContext } & Record<'countsLiveRules' | 'isProved', boolean>,
): Finding[] {
  const { policies, unplaced, modules } = effects;
  return [
    ...hiddenPlaceFindings(stack),
    ...policies.flatMap((policy) => policyFindings(policy, assumptions)),
    ...unplaced.flatMap(unplacedFindings),
    ...exclusiveSetFindings(stack, countsLiveRules),
    ...releasedPolicyFindings(stack),
    ...takeOverFindings(stack, { ...assumptions, includesLive: countsLiveRules, isProved }),
    ...modules.flatMap((evaluation) => evaluation.changeFindings()),
    ...absentModuleFindings(
      stack,
      modules.flatMap(({ accesses }) => accesses),
    ),
    ...leftOnService(stack),
  ];
}

export function stateFindings(stack: StackChange, effects: Effects, context: FinderContext): Finding[] {
  const { policies, unplaced } = effects;
  const { ipModel } = context.assumptions;
  const after = sideFindings(stack, 'after', context);
  // Earlier oddities are only computed if there are any now.
  const before = after.length === 0 ? [] : sideFindings(stack, 'before', context);
  return [
    ...[...policies, ...unplaced].flatMap((policy) => [
      ...openness(policy, ipModel),
      ...needlessRuleFindings(policy, ipModel),
    ]),
    ...markExisting(after, before),
  ];
}

function sideFindings(stack: StackChange, side: 'before' | 'after', context: FinderContext): Finding[] {
  const snapshot = stack[side];
  return [
    ...outputTextFindings(stack.changes.flatMap((change) => change[side] ?? [])),
    ...contestedRuleFindings(snapshot),
    ...undeclarableFindings(snapshot),
    ...moduleStateFindings(snapshot),
    ...fromEvaluators(MODULE_TYPES, (evaluator) => evaluator.stateFindings(snapshot, context)),
  ];
}
