import { parseCidr } from 'pulumi-edge-policy/internal/values/cidr';
import type { CidrSet } from 'pulumi-edge-policy/internal/values/cidr-set';
import { intersect, isEmptyCidrSet, subtract, touches } from 'pulumi-edge-policy/internal/values/cidr-set';
import { endMs } from 'pulumi-edge-policy/internal/values/until';
import { endsOf, letInBy } from '../access/end-of-access';
import type { IpModel } from '../access/evaluation-model';
import type { PolicySide } from '../access/policy-side';
import { type Assertion, type Breaking, networksOf } from './assertion';

/** When an assertion about a policy that holds now breaks by itself, as rules end. Only visible rules are considered. */
export function breakingOf(
  assertion: Assertion,
  { rules }: PolicySide,
  { model, nowMs }: { readonly model: IpModel; readonly nowMs: number },
): Breaking | undefined {
  const ending = rules.filter(({ until }) => until !== undefined);
  if (ending.length === 0 || !parseCidr(assertion.networks?.[0] ?? assertion.target ?? '').ok)
    return undefined;
  const named = networksOf(assertion);
  // A ceiling is about the addresses outside its networks, other assertions about those inside.
  const concerned =
    assertion.expectation === 'within' ? rules : rules.filter(({ cidr }) => touches(named, cidr));
  for (const until of endsOf(concerned, nowMs)) {
    const left = concerned.filter((rule) => rule.until === undefined || endMs(rule.until) > endMs(until));
    if (!isEmptyCidrSet(offenders(assertion, named, letInBy(left, model)))) {
      const rule = concerned.find((candidate) => candidate.until === until);
      return rule && { until, rule };
    }
  }
  return undefined;
}

function offenders({ expectation }: Assertion, named: CidrSet, letIn: CidrSet): CidrSet {
  if (expectation === 'deny') return intersect(named, letIn);
  return expectation === 'within' ? subtract(letIn, named) : subtract(named, letIn);
}
