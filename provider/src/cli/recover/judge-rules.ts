import { nameWithAge } from '../../rule/rule';
import { sameCidr } from '../../values/cidr';
import type { Deployment } from '../pulumi/deployment';
import { allocate, type RuleOutcome } from './allocate';
import { type ExpectedRule, expectedRulesOf, entryOf, isSet } from './expected-rules';
import type { RuleEvidence, RuleList } from './evidence';
import { judgeRuleCreate } from './judge-rule';
import { judgeRuleSetCreate, judgeRuleSetUpdate } from './judge-rule-set';
import { ageOf } from './time-window';
import { isHidden, type Operation, type Verdict } from './judged-operation';

/** What operations on rules are judged by. They are judged together, as they compete for the same rules. */
export interface RuleCase {
  readonly deployment: Deployment;
  /** The rules of an operation's account. */
  readonly listOf: (operation: Operation) => RuleList;
  readonly evidence: RuleEvidence;
}

/** The verdicts on operations on rules, and which ids of `--take` were used. */
export function judgeRules(
  operations: readonly Operation[],
  { deployment, listOf, evidence }: RuleCase,
): { readonly verdicts: ReadonlyMap<Operation, Verdict>; readonly usedTakeIds: ReadonlySet<string> } {
  const visible = operations.filter((operation) => !isHidden(operation));
  const expectedRules = visible.flatMap((operation) =>
    expectedRulesOf(operation, deployment, listOf(operation)),
  );
  const { outcomes, usedTakeIds } = allocate(expectedRules, ({ operation }) => listOf(operation), evidence);
  const verdictOn = (operation: Operation, own: readonly RuleOutcome[]): Verdict => {
    if (isHidden(operation)) return judgeHidden(operation, listOf(operation), evidence);
    if (operation.type === 'updating')
      return judgeRuleSetUpdate(operation, entryOf(operation, deployment), own);
    const [first = { kind: 'none', older: [] }] = own;
    return isSet(operation) ? judgeRuleSetCreate(operation, own) : judgeRuleCreate(operation, first);
  };
  const byOperation = outcomesByOperation(expectedRules, outcomes);
  const verdicts = operations.map(
    (operation) => [operation, verdictOn(operation, byOperation.get(operation) ?? [])] as const,
  );
  return { verdicts: new Map(verdicts), usedTakeIds };
}

function outcomesByOperation(
  expectedRules: readonly ExpectedRule[],
  outcomes: ReadonlyMap<ExpectedRule, RuleOutcome>,
): Map<Operation, RuleOutcome[]> {
  const byOperation = new Map<Operation, RuleOutcome[]>();
  for (const expected of expectedRules) {
    const outcome = outcomes.get(expected);
    if (outcome === undefined) continue;
    const own = byOperation.get(expected.operation);
    if (own === undefined) byOperation.set(expected.operation, [outcome]);
    else own.push(outcome);
  }
  return byOperation;
}

const MOST_NAMED = 10;

/** An operation whose inputs are secret: nothing can be compared, so rules in the same place that no resource manages are only named. */
function judgeHidden({ inputs }: Operation, list: RuleList, { managedIds, window }: RuleEvidence): Verdict {
  const { ipPolicyId, cidr } = inputs;
  const near = [...list.byId.values()].filter(
    (rule) =>
      rule.ipPolicyId === ipPolicyId &&
      (typeof cidr !== 'string' || sameCidr(cidr, rule.cidr)) &&
      !managedIds.has(rule.id) &&
      ageOf(rule.createdAt, window, list.offsetMs) !== 'older',
  );
  if (near.length === 0) return { kind: 'clear', why: 'never happened: there is no such rule' };
  return {
    kind: 'refuse',
    why: 'its inputs are secret, so no rule can be compared with them: adopt its own with "edge-policy import --name"',
    candidates: near.slice(0, MOST_NAMED).map(nameWithAge),
  };
}
