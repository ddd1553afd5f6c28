import { nameWithAge } from '../../rule/rule';
import { sameCidr } from '../../values/cidr';
import type { RuleEvidence, RuleList } from './evidence';
import { ageOf } from './time-window';
import type { Operation, Verdict } from './verdict';

const MOST_NAMED = 10;

/** An operation whose inputs are secret: rules that nobody manages can be told to be near it, and no more. */
export function judgeHidden(
  { inputs }: Operation,
  list: RuleList,
  { managedIds, window }: RuleEvidence,
): Verdict {
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
    why: 'inputs are secret, so that it cannot be compared: adopt what is its own with "edge-policy import --name"',
    candidates: near.slice(0, MOST_NAMED).map(nameWithAge),
  };
}
