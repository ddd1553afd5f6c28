import type { Cidr } from 'pulumi-edge-policy/internal/values/cidr';
import { hasEnded } from 'pulumi-edge-policy/internal/values/until';
import { networkVerdict, type Reason } from '../access/address-verdict';
import type { AddressBounds } from '../access/bounds';
import { cidrSetOf, intersect } from '../access/cidr-set';
import { doubtsOf } from '../access/doubts';
import type { IpModel } from '../access/evaluation-model';
import type { PolicySide } from '../access/policy-side';
import { largestFirst } from '../access/public-space';
import { list, say, trusted } from '../text/sentence';
import { partsInWords } from './explain-connection';
import type { Answer } from './question';

export function explainAddress(
  side: PolicySide,
  network: Cidr,
  { model, bounds }: { readonly model: IpModel; readonly bounds: AddressBounds },
): Answer {
  const { isAllLetIn, isAllKeptOut, whyIn, whyOut } = networkVerdict(side, network, { model, bounds });
  if (isAllLetIn === true) return decided('let-in', whyIn);
  if (isAllKeptOut === true) return decided('kept-out', whyOut);
  if (isAllLetIn === false && isAllKeptOut === false) {
    const parts = largestFirst(intersect(cidrSetOf([network]), bounds.surely));
    const because = say`${partsInWords(parts)}; ${whyIn.text}, and ${whyOut.text}`;
    return { decision: 'partly', because, parts };
  }
  const doubts = doubtsOf([side]).map(({ reason }) => reason);
  const because = doubts.length === 0 ? trusted('a rule of the policy is hidden') : list(doubts);
  return { decision: 'undecided', because };
}

const decided = (decision: Answer['decision'], { text, ...rule }: Reason): Answer => ({
  decision,
  because: text,
  ...rule,
});

/** An answer by a rule that has ended: a set leaves it out, but the service applies it until the next `up`. */
export const withEnd = (answer: Answer, nowMs: number): Answer =>
  answer.until !== undefined && hasEnded(answer.until, nowMs)
    ? { ...answer, because: say`${answer.because}, which has ended: the next "pulumi up" deletes it` }
    : answer;
