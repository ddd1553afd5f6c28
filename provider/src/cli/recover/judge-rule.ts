import type { IpPolicyRuleCreateWire, IpPolicyRuleWire } from '../../api/wire';
import { ipPolicyRuleBody, type IpPolicyRuleInputs, ipPolicyRuleState } from '../../resources/ip-policy-rule';
import { isSameRule } from '../../settle/rule-search';
import { type ListEvidence, nameOfRule } from './evidence';
import { type Age, ageOf } from './time-window';
import { type Operation, outputsOf, type Verdict } from './verdict';

/** What an interrupted create of a rule is judged by. */
export interface RuleEvidence extends ListEvidence {
  /** Creates of the very same rule that were interrupted too. */
  readonly twins: number;
  /** Whether the state holds a live resource under this name already. */
  readonly isInState: boolean;
}

/** Looks for the rule of an interrupted create: the same in all five fields, managed by nobody, and young enough. */
export function judgeRuleCreate(operation: Operation, evidence: RuleEvidence): Verdict {
  const body = ipPolicyRuleBody(operation.inputs as unknown as IpPolicyRuleInputs);
  const candidates = candidatesFor(body, evidence);
  const chosen = candidates.filter(({ rule }) => evidence.takeIds.includes(rule.id));
  if (chosen.length === 1 && chosen[0] !== undefined && !evidence.isInState) {
    return take(operation, chosen[0].rule, 'taken as you said');
  }
  const possible = candidates.filter(({ age }) => age !== 'older');
  const [only] = possible;
  if (only === undefined) {
    return { kind: 'clear', why: evidence.isInState ? 'in the state already' : neverHappened(candidates) };
  }
  const isSure = possible.length === 1 && only.age === 'fits' && evidence.twins === 0 && !evidence.isInState;
  if (isSure) return take(operation, only.rule, `happened: it exists as ${only.rule.id}`);
  return {
    kind: 'refuse',
    why: doubt(possible, evidence),
    candidates: possible.map(({ rule }) => nameOfRule(rule)),
  };
}

interface Candidate {
  readonly rule: IpPolicyRuleWire;
  readonly age: Age;
}

const candidatesFor = (body: IpPolicyRuleCreateWire, evidence: RuleEvidence): Candidate[] =>
  evidence.rules
    .filter((rule) => isSameRule(rule, body) && !evidence.managedIds.has(rule.id))
    .map((rule) => ({ rule, age: ageOf(rule.created_at, evidence.window, evidence.offsetMs) }));

const take = (operation: Operation, rule: IpPolicyRuleWire, why: string): Verdict => ({
  kind: 'take',
  why,
  id: rule.id,
  outputs: outputsOf(operation, ipPolicyRuleState(rule)),
});

const neverHappened = (older: readonly Candidate[]): string =>
  older.length === 0
    ? 'never happened: the service has no such rule'
    : `never happened: ${older.map(({ rule }) => rule.id).join(', ')} is such a rule, but older than the stack`;

function doubt(possible: readonly Candidate[], { twins, isInState }: RuleEvidence): string {
  if (isInState)
    return 'the state holds this resource, and the service another rule that is the same: a duplicate?';
  if (possible.length > 1) return 'several rules of the service could be it';
  if (twins > 0) return 'several interrupted creates could have made this rule';
  return 'a rule that could be it was there at the end of a later successful run: not certain whose it is';
}
