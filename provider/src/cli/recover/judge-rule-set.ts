import { createHash } from 'node:crypto';
import type { IpPolicyRuleWire } from '../../api/wire';
import { liveRule, type LiveRule } from '../../rule-set/rule';
import { rulesInState, type RulesInState } from '../../rule-set/rules-text';
import { isSecret, secretInClear, type StateResource } from '../pulumi/deployment';
import type { Finding } from './allocate';
import { notedRules } from './demand';
import { nameOfRule } from './evidence';
import { mayTakeOver } from './judge-rule';
import type { Operation, Verdict } from './verdict';

const MOST_NAMED = 10;

/** A set that was being created: what it has made already is brought in, and the next `up` makes the rest. */
export function judgeRuleSetCreate(operation: Operation, findings: readonly Finding[]): Verdict {
  const { found, doubtful } = sorted(operation, findings);
  if (doubtful.length > 0) return refuse(doubtful);
  if (found.length === 0) return { kind: 'clear', why: 'never happened: the service has none of its rules' };
  const state = rulesInState(found.map(liveRule));
  const own = createHash('sha256').update(state.ruleIdList).digest('hex').slice(0, 12);
  const { inputs } = operation.resource;
  return {
    kind: 'take',
    why: `happened in part: ${found.length} of ${findings.length} rules exist, the next up makes the rest`,
    id: `${String(operation.inputs['ipPolicyId'])}/${own}`,
    outputs: { ...inputs, ...inState(operation, state) },
    live: found.slice(0, MOST_NAMED).map(nameOfRule),
    ...(findings.some((finding) => finding.kind === 'found' && finding.isToldSo) && { isToldSo: true }),
  };
}

/** A set that was being changed: the rules that it has made and not yet noted are noted, then it is read again. */
export function judgeRuleSetUpdate(
  operation: Operation,
  entry: StateResource | undefined,
  findings: readonly Finding[],
): Verdict {
  const { found, doubtful } = sorted(operation, findings);
  if (doubtful.length > 0) return refuse(doubtful);
  if (found.length === 0) return { kind: 'refresh', why: 'read again from the service' };
  const made: LiveRule[] = found.map(liveRule);
  return {
    kind: 'refresh',
    why: `${made.length} rules that it has made are noted, then it is read again from the service`,
    outputs: inState(operation, rulesInState([...notedRules(entry), ...made])),
  };
}

/** A set that may take over what is there does so again: only what it has made for certain has to be told apart. */
function sorted(
  operation: Operation,
  findings: readonly Finding[],
): { readonly found: readonly IpPolicyRuleWire[]; readonly doubtful: readonly IpPolicyRuleWire[] } {
  return {
    found: findings.flatMap((finding) => (finding.kind === 'found' ? [finding.rule] : [])),
    doubtful: mayTakeOver(operation)
      ? []
      : findings.flatMap((finding) => (finding.kind === 'doubt' ? finding.rules : [])),
  };
}

const refuse = (rules: readonly IpPolicyRuleWire[]): Verdict => ({
  kind: 'refuse',
  why: `${rules.length} rules could be of this set, and it is not certain whose they are`,
  candidates: rules.slice(0, MOST_NAMED).map(nameOfRule),
});

/** The live rules as state holds them, secret where the declaration is. */
function inState(
  { resource }: Operation,
  { rules, ruleIdList }: RulesInState,
): Readonly<Record<string, unknown>> {
  return { rules: isSecret(resource.inputs?.['rules']) ? secretInClear(rules) : rules, ruleIdList };
}
