import type { Cidr } from 'pulumi-edge-policy/internal/values/cidr';
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

const decided = (decision: Answer['decision'], { text, origin, cidr }: Reason): Answer => ({
  decision,
  because: text,
  ...(origin && { origin }),
  ...(cidr !== undefined && { cidr }),
});
