import type { Cidr } from 'pulumi-edge-policy/internal/values/cidr';
import { hasEnded } from 'pulumi-edge-policy/internal/values/until';
import { networkVerdict, type Reason } from '../access/address-verdict';
import type { AddressBounds } from '../access/bounds';
import { cidrSetOf, covers, intersect, touches } from '../access/cidr-set';
import { doubtsOf, type SubjectAccess, reasonsIn } from '../access/subject-access';
import type { IpModel } from '../access/evaluation-model';
import type { PolicySide } from '../access/policy-side';
import { largestFirst } from '../access/public-space';
import { count, foreign, say, type Sentence, trusted } from '../text/sentence';
import type { Answer } from './question';
import type { ModuleDeclaration, Snapshot } from '../model/declarations';
import { snapshotOf, type StackChange } from '../model/snapshot';
import type { Assumptions } from '../findings/assumptions';
import { networksWithSize } from '../text/amounts';
import { Conditions } from '../traffic-policy/condition';
import { compile, run } from '../traffic-policy/run-program';
import { type DocumentAssumptions, programOf } from '../traffic-policy/traffic-program';
import type { TrafficRule } from '../traffic-policy/traffic-rules';
import { ruleInWords, trafficPoliciesOf, trafficRulesOf } from '../traffic-policy/traffic-rules';

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
  const because = reasonsIn(doubtsOf([side]), trusted('a rule of the policy is hidden'));
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

export interface Connections {
  readonly snapshot: Snapshot;
  readonly accesses: readonly SubjectAccess[];
  readonly assumptions: Assumptions;
}

export function explainConnection(
  { snapshot, accesses, assumptions }: Connections,
  subject: string,
  network: Cidr,
): Answer {
  const [module] = trafficPoliciesOf(snapshot).placed.get(subject) ?? [];
  if (!module)
    return { decision: 'not-there', because: say`there is no traffic policy of ${foreign(subject)} here` };
  const { origin, isEnabled } = module;
  const access = accesses.find((each) => each.subject === subject);
  if (access?.of !== 'addresses')
    return { decision: 'undecided', because: trusted('it cannot be decided'), origin };
  const { surely, possibly } = access.after;
  if (covers(surely, network)) {
    const isOff = isEnabled.isKnown && !isEnabled.value;
    const because = isOff
      ? say`the traffic policy of ${foreign(origin.name)} is off`
      : say`no rule of ${foreign(origin.name)} refuses ${foreign(network.text)}`;
    return { decision: 'let-in', because, origin };
  }
  if (!touches(possibly, network)) {
    const because = refusalOf(module, network, assumptions);
    return { decision: 'kept-out', because, origin };
  }
  if (touches(surely, network) && !covers(possibly, network)) {
    const parts = largestFirst(intersect(cidrSetOf([network]), surely));
    const because = say`${partsInWords(parts)}; the rules of ${foreign(origin.name)} refuse others`;
    return { decision: 'partly', because, origin, parts };
  }
  return { decision: 'undecided', because: reasonsIn(access.doubts, OPEN), origin };
}

const partsInWords = (parts: readonly Cidr[]): Sentence =>
  say`${count(parts.length, 'part')}, ${networksWithSize(parts)}`;

const OPEN = trusted('it depends on more than the address');

/** Compared with nothing, so that everything that leaves the answer open is reported. */
export const against = (snapshot: Snapshot): StackChange => ({
  changes: [],
  before: snapshotOf([]),
  after: snapshot,
});

function refusalOf(module: ModuleDeclaration, network: Cidr, assumptions: DocumentAssumptions): Sentence {
  const conditions = new Conditions();
  const letInBy = (rule: TrafficRule) => run(compile(programOf([rule], conditions, assumptions)), new Map());
  const rule = trafficRulesOf(module)?.find((candidate) => !touches(letInBy(candidate).possibly, network));
  const what = foreign(network.text);
  if (!rule) return say`the rules of ${foreign(module.origin.name)} together refuse ${what}`;
  return say`${ruleInWords(rule)} of ${foreign(module.origin.name)} refuses ${what}`;
}
