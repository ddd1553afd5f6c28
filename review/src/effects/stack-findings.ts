import type { FinderContext } from '../findings/assumptions';
import {
  accessChangeFindings,
  laterFindings,
  unplacedChangeFindings,
  unplacedLaterFindings,
} from '../findings/access-changes';
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
import type { StackChange } from '../model/snapshot';
import { fromEvaluators } from './evaluators';
import { MODULE_TYPES } from '../preview/resource-type';
import type { Effects } from './effects';

export interface ChangeOptions {
  readonly context: FinderContext;
  readonly countsLiveRules: boolean;
  /** Whether a state confirms what the stack had before. */
  readonly isProved: boolean;
}

export function changeFindings(
  stack: StackChange,
  effects: Effects,
  { context: { assumptions }, countsLiveRules, isProved }: ChangeOptions,
): Finding[] {
  const { policies, unplaced, modules } = effects;
  return [
    ...hiddenPlaceFindings(stack),
    ...policies.flatMap((policy) => accessChangeFindings(policy, assumptions.ipModel)),
    ...unplaced.flatMap(unplacedChangeFindings),
    ...policies.flatMap((policy) => laterFindings(policy, assumptions)),
    ...unplaced.flatMap(unplacedLaterFindings),
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

/** Findings about the rules and modules after the change, with those that existed before marked. */
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
