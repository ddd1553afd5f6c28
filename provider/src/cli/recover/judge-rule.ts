import { ipPolicyRuleState } from '../../rule/rule-state';
import { nameWithAge } from '../../rule/rule';
import type { RuleOutcome } from './allocate';
import { type Operation, outputsOf, type Verdict } from './judged-operation';

/** Judges an interrupted create of a rule. */
export function judgeRuleCreate(operation: Operation, outcome: RuleOutcome): Verdict {
  if (outcome.kind === 'none') return { kind: 'clear', why: neverHappened(outcome) };
  if (outcome.kind === 'doubt') {
    const candidates = outcome.rules.map(nameWithAge);
    return mayTakeOver(operation)
      ? { kind: 'clear', why: LEFT_TO_UP, candidates }
      : { kind: 'refuse', why: outcome.why, candidates };
  }
  if (outcome.kind === 'unproven') {
    const candidates = [nameWithAge(outcome.rule)];
    return mayTakeOver(operation)
      ? { kind: 'clear', why: LEFT_TO_UP, candidates }
      : { kind: 'refuse', why: UNPROVEN, candidates, takeIds: [outcome.rule.id] };
  }
  const { rule, isToldSo } = outcome;
  return {
    kind: 'take',
    why: isToldSo ? 'taken over as you asked' : `happened: it exists as ${rule.id}`,
    id: rule.id,
    outputs: outputsOf(operation, ipPolicyRuleState(rule, operation.inputs)),
    live: [nameWithAge(rule)],
    ...(isToldSo && { isToldSo }),
  };
}

/** What is said of doubtful rules that {@link mayTakeOver} leaves to the next `up`, which only knows what is declared by then. */
export const LEFT_TO_UP =
  'not certain: the next up takes over what is there, if the program still declares it; after that, delete any that no resource manages';

/** Why a matching rule is not brought in if no pending operation is recorded. */
export const UNPROVEN =
  'this matches, but no record shows that this stack created it: it may belong to another stack';

/** Whether a create may take over an existing rule: the next `up` then settles any doubt. */
export const mayTakeOver = ({ inputs }: Operation): boolean => inputs['overwriteExisting'] === true;

const neverHappened = ({ older }: RuleOutcome & { readonly kind: 'none' }): string =>
  older.length === 0
    ? 'never happened: the service has no such rule'
    : `never happened: ${older.map(({ id }) => id).join(', ')} is such a rule, but older than the stack`;
