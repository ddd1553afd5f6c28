import { parseCidr } from '../../values/cidr';
import { judgeNetwork } from '../access/address-verdict';
import type { PolicyChange } from '../access/policy-change';
import type { Snapshot } from '../model/declarations';
import { groupByKey } from '../model/pairing';
import type { Finding } from '../findings/finding';
import { finding } from '../findings/finding';
import type { Assumptions } from '../options';
import type { Sentence } from '../report/sentence';
import { foreign, say, words } from '../report/sentence';
import { judgeOf } from '../user-agents/decision-table';
import type { Assertion, AssertionResult } from './assertion';
import { notChecked } from './assertion';

/** What assertions are checked against: the stack as it will be. */
export interface Checked {
  readonly policies: readonly PolicyChange[];
  readonly after: Snapshot;
  readonly assumptions: Assumptions;
}

/** Checks every assertion, in the order given. */
export function checkAssertions(assertions: readonly Assertion[], checked: Checked): AssertionResult[] {
  return assertions.map((assertion) => {
    if (!assertion.subject.isKnown)
      return notChecked(assertion, words('which policy or route is meant is not known at preview'));
    const check = assertion.kind === 'address' ? checkAddress : checkUserAgent;
    return check(assertion, assertion.subject.value, checked);
  });
}

function checkAddress(
  assertion: Assertion,
  policyId: string,
  { policies, assumptions }: Checked,
): AssertionResult {
  const policy = policies.find((candidate) => candidate.policyId === policyId);
  if (!policy) return notChecked(assertion, say`the stack has no rule of ${foreign(policyId)}`);
  const parsed = parseCidr(assertion.target ?? '');
  if (!parsed.ok)
    return notChecked(assertion, say`${foreign(assertion.target ?? '')} is no address or network`);
  const verdict = judgeNetwork(policy.after, parsed.cidr, {
    model: assumptions.ipModel,
    bounds: policy.access.after,
  });
  const wantsIn = assertion.expectation === 'allow';
  const holds = wantsIn ? verdict.isAllLetIn : verdict.isAllKeptOut;
  if (holds === undefined) return notChecked(assertion, words('a rule of the policy cannot be seen'));
  const reason = wantsIn === holds ? verdict.whyIn : verdict.whyOut;
  return {
    assertion,
    outcome: holds ? 'holds' : 'fails',
    because: reason.text,
    ...(reason.origin && { origin: reason.origin }),
  };
}

function checkUserAgent(
  assertion: Assertion,
  routeKey: string,
  { after, assumptions }: Checked,
): AssertionResult {
  const filter = groupByKey(after.userAgentFilters, (candidate) => candidate.routeKey).get(routeKey)?.[0];
  if (!filter) return notChecked(assertion, say`the stack has no user agent filter of ${foreign(routeKey)}`);
  const verdict = judgeOf(filter, assumptions.userAgentModel)(assertion.target);
  if (!verdict) return notChecked(assertion, words('a pattern of the filter is hidden or not valid in RE2'));
  const because: Sentence = verdict.decidedBy
    ? say`decided by the ${words(verdict.decidedBy.list)} pattern ${foreign(verdict.decidedBy.pattern)}`
    : words('no pattern decides');
  const holds = verdict.isLetIn === (assertion.expectation === 'allow');
  return { assertion, outcome: holds ? 'holds' : 'fails', because, origin: filter.origin };
}

/** The findings about assertions that do not hold, or that nobody can check. */
export function assertionFindings(results: readonly AssertionResult[]): Finding[] {
  return results.flatMap((result) => {
    if (result.outcome === 'holds') return [];
    const { subject } = result.assertion;
    const where = {
      ...(subject.isKnown && { subject: subject.value }),
      ...(result.origin && { origin: result.origin }),
    };
    const id = result.outcome === 'fails' ? 'assertion-failed' : 'assertion-not-checked';
    return [
      finding(id, { where, reason: say`${describeAssertion(result.assertion)}, but ${result.because}.` }),
    ];
  });
}

/** The assertion in words. */
export function describeAssertion({ expectation, target, kind }: Assertion): Sentence {
  const what = target === null ? words('a client without a user agent') : foreign(target);
  const noun = kind === 'address' ? words('') : words(target === null ? '' : 'the client ');
  return say`${noun}${what} must be ${words(expectation === 'allow' ? 'let in' : 'kept out')}`;
}
