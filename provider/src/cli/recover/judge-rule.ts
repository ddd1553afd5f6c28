import { ipPolicyRuleState } from '../../resources/ip-policy-rule';
import type { Finding } from './allocate';
import { nameOfRule } from './evidence';
import { type Operation, outputsOf, type Verdict } from './verdict';

/** What became of an interrupted create of a rule. */
export function judgeRuleCreate(operation: Operation, finding: Finding): Verdict {
  if (finding.kind === 'none') return { kind: 'clear', why: neverHappened(finding) };
  if (finding.kind === 'doubt') {
    return mayTakeOver(operation)
      ? { kind: 'clear', why: 'not certain: the next up takes over what is there' }
      : { kind: 'refuse', why: finding.why, candidates: finding.rules.map(nameOfRule) };
  }
  const { rule, isToldSo } = finding;
  return {
    kind: 'take',
    why: isToldSo ? 'taken as you said' : `happened: it exists as ${rule.id}`,
    id: rule.id,
    outputs: outputsOf(operation, ipPolicyRuleState(rule, operation.inputs)),
    live: [nameOfRule(rule)],
    ...(isToldSo && { isToldSo }),
  };
}

/** Whether a create may take over a rule that is there: what is in doubt is then settled by the next `up`. */
export const mayTakeOver = ({ inputs }: Operation): boolean => inputs['overwriteExisting'] === true;

const neverHappened = ({ older }: Finding & { readonly kind: 'none' }): string =>
  older.length === 0
    ? 'never happened: the service has no such rule'
    : `never happened: ${older.map(({ id }) => id).join(', ')} is such a rule, but older than the stack`;
