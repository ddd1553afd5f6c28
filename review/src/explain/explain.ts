// What for: answers what happens to one address or user agent.
// Must not know: `guards`, `report`, and how the declarations were read.
import { barrierAt } from '../access/joint-access';
import { judgeNetwork, type Reason } from '../access/address-verdict';
import { whoGetsInAt } from '../access/policy-change';
import type { Snapshot } from '../model/declarations';
import type { Assumptions } from '../findings/assumptions';
import type { Cidr } from 'pulumi-edge-policy/internal/values/cidr';
import { foreign, list, say, trusted } from '../text/sentence';
import { judgeOf } from '../user-agents/decision-table';
import { filtersOf } from '../user-agents/user-agent-model';
import { type Answer, accessesOn, explainConnection, type Question } from './explain-connection';

/** The answer by the declarations of one side, and what decides it. */
export function explain(snapshot: Snapshot, question: Question, assumptions: Assumptions): Answer {
  if (question.kind === 'route') return explainUserAgent(snapshot, question, assumptions);
  return question.kind === 'policy'
    ? explainAddress(snapshot, question, assumptions)
    : explainConnection(snapshot, question, assumptions);
}

interface AddressQuestion {
  readonly subject: string;
  readonly network: Cidr;
}

function explainAddress(
  snapshot: Snapshot,
  { subject, network }: AddressQuestion,
  { ipModel: model, emptyPolicy }: Assumptions,
): Answer {
  const policy = whoGetsInAt(snapshot, { model, emptyPolicy }).find(({ policyId }) => policyId === subject);
  if (!policy) return notThere(subject, 'rule');
  const verdict = judgeNetwork(policy.after, network, { model, bounds: policy.access.after });
  const { isAllLetIn, isAllKeptOut, whyIn, whyOut } = verdict;
  if (isAllLetIn === true) return answer('let-in', whyIn);
  if (isAllKeptOut === true) return answer('kept-out', whyOut);
  if (isAllLetIn === false && isAllKeptOut === false)
    return { decision: 'partly', because: say`${whyIn.text}, and ${whyOut.text}` };
  const doubts = policy.access.doubts.map(({ reason }) => reason);
  const because = doubts.length === 0 ? trusted('a rule of the policy is hidden') : list(doubts);
  return { decision: 'undecided', because };
}

const answer = (decision: Answer['decision'], { text, origin, cidr }: Reason): Answer => ({
  decision,
  because: text,
  ...(origin && { origin }),
  ...(cidr !== undefined && { cidr }),
});

/** Nothing is said of an object that is not declared here: another stack may have it, or none. */
const notThere = (subject: string, noun: 'rule' | 'traffic policy' | 'user agent filter'): Answer => ({
  decision: 'not-there',
  because: say`there is no ${trusted(noun)} of ${foreign(subject)} here`,
});

function explainUserAgent(
  snapshot: Snapshot,
  { subject, userAgent }: { readonly subject: string; readonly userAgent: string | null },
  assumptions: Assumptions,
): Answer {
  const [filter, second] = filtersOf(snapshot).placed.get(subject) ?? [];
  if (!filter) return notThere(subject, 'user agent filter');
  const { origin } = filter;
  if (second)
    return { decision: 'undecided', because: trusted('the filter is declared twice'), origin: second.origin };
  const verdict = judgeOf(filter, assumptions.userAgentModel)(userAgent);
  if (!verdict)
    return { decision: 'undecided', because: trusted('a pattern is hidden or not valid in RE2'), origin };
  const { decidedBy, isLetIn } = verdict;
  const barrier = barrierAt(accessesOn(snapshot, 'route', assumptions), { kind: 'route', subject });
  if (isLetIn && barrier)
    return { decision: 'undecided', because: list(barrier.doubts.map(({ reason }) => reason)), origin };
  const because = decidedBy
    ? say`the ${trusted(decidedBy.list)} pattern ${foreign(decidedBy.pattern)} of ${foreign(origin.name)} decides`
    : say`no pattern of ${foreign(origin.name)} decides`;
  return { decision: isLetIn ? 'let-in' : 'kept-out', because, origin };
}
