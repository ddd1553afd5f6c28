import { createHash } from 'node:crypto';
import { ipPolicyRuleSetDerived } from '../../resources/ip-policy-rule-set';
import { nativeToken } from '../../resources/provider-reference';
import { rulesInState, type RulesInState } from '../../rule-set/rules-text';
import { withEnds } from '../../rule-set/rule-ends';
import { declaredRules, type IpPolicyRuleSetInputs } from '../../rule-set/set-state';
import { nameWithAge, type ServiceRule, type SetRule } from '../../rule/rule';
import { isSecret, secretInClear, type StateResource } from '../pulumi/deployment';
import type { RuleOutcome } from './allocate';
import { notedRules } from './expected-rules';
import { count } from '../text';
import { LEFT_TO_UP, mayTakeOver, UNPROVEN } from './judge-rule';
import type { Operation, Verdict } from './judged-operation';

const MOST_NAMED = 10;

/** A set that was being created: the rules that it has created are brought in, and the next `up` creates the rest. */
export function judgeRuleSetCreate(operation: Operation, outcomes: readonly RuleOutcome[]): Verdict {
  const { found, doubtful, unproven } = sorted(outcomes);
  if (doubtful.length > 0 && !mayTakeOver(operation)) return refuse(doubtful, unproven);
  if (found.length === 0)
    return { kind: 'clear', ...reason('never happened: the service has none of its rules', doubtful) };
  const state = rulesInState(withEnds(found, { declared: declaredBy(operation), before: [] }));
  const own = createHash('sha256').update(state.ruleIdList).digest('hex').slice(0, 12);
  const { inputs } = operation.resource;
  return {
    kind: 'take',
    ...reason(
      `happened in part: ${found.length} of ${outcomes.length} rules exist, the next up creates the rest`,
      doubtful,
    ),
    id: `${String(operation.inputs['ipPolicyId'])}/${own}`,
    outputs: { ...inputs, ...inState(operation, state) },
    live: found.slice(0, MOST_NAMED).map(nameWithAge),
    ...(outcomes.some((outcome) => outcome.kind === 'found' && outcome.isToldSo) && { isToldSo: true }),
  };
}

/** A set that was being changed: the rules that it has created and not yet noted are added to its state, then it is read again. */
export function judgeRuleSetUpdate(
  operation: Operation,
  entry: StateResource | undefined,
  outcomes: readonly RuleOutcome[],
): Verdict {
  const { found, doubtful, unproven } = sorted(outcomes);
  if (doubtful.length > 0 && !mayTakeOver(operation)) return refuse(doubtful, unproven);
  if (found.length === 0) return { kind: 'refresh', ...reason('read again from the service', doubtful) };
  return {
    kind: 'refresh',
    ...reason(
      `${found.length} rules that it created are recorded, then it is read again from the service`,
      doubtful,
    ),
    outputs: inState(
      operation,
      rulesInState([
        ...notedRules(entry),
        ...withEnds(found, { declared: declaredBy(operation), before: [] }),
      ]),
    ),
  };
}

const declaredBy = ({ inputs }: Operation): SetRule[] =>
  declaredRules(inputs as unknown as IpPolicyRuleSetInputs);

/**
 * The rules that are certainly the set's (`found`), those that may be (`doubtful`), and of the latter those that only lack a
 * record (`unproven`).
 */
function sorted(outcomes: readonly RuleOutcome[]): {
  readonly found: readonly ServiceRule[];
  readonly doubtful: readonly ServiceRule[];
  readonly unproven: readonly ServiceRule[];
} {
  const unproven = outcomes.flatMap((outcome) => (outcome.kind === 'unproven' ? [outcome.rule] : []));
  return {
    found: outcomes.flatMap((outcome) => (outcome.kind === 'found' ? [outcome.rule] : [])),
    doubtful: [
      ...unproven,
      ...outcomes.flatMap((outcome) => (outcome.kind === 'doubt' ? outcome.rules : [])),
    ],
    unproven,
  };
}

/** A set that may take over existing rules will do so again, so rules in doubt are named and decide nothing. */
const reason = (why: string, doubtful: readonly ServiceRule[]): Pick<Verdict, 'why' | 'candidates'> =>
  doubtful.length === 0 ? { why } : { why: `${why}; ${LEFT_TO_UP}`, candidates: named(doubtful) };

const named = (rules: readonly ServiceRule[]): string[] => rules.slice(0, MOST_NAMED).map(nameWithAge);

const refuse = (rules: readonly ServiceRule[], unproven: readonly ServiceRule[]): Verdict => ({
  kind: 'refuse',
  why:
    rules.length === unproven.length
      ? `${count(rules.length, 'rule')}: ${UNPROVEN}`
      : `${count(rules.length, 'rule')} could belong to this set, but their owner is unclear`,
  candidates: named(rules),
  ...(unproven.length > 0 && { takeIds: unproven.map(({ id }) => id) }),
});

/** The live rules in the form of the state, secret if the declaration is. */
function inState(
  { resource }: Operation,
  { rules, ruleIdList }: RulesInState,
): Readonly<Record<string, unknown>> {
  const isHidden = isSecret(resource.inputs?.['rules']);
  const held = (value: unknown): unknown => (isHidden ? secretInClear(value) : value);
  const isNative = resource.type === nativeToken('IpPolicyRuleSet');
  return {
    rules: held(rules),
    ruleIdList,
    ...(isNative && { ruleList: held(ipPolicyRuleSetDerived.ruleList.of(rules)) }),
  };
}
