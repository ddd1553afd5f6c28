import type { RuleAction } from 'pulumi-edge-policy/internal/values/action';
import { type Cidr, contains, overlaps } from 'pulumi-edge-policy/internal/values/cidr';
import { cidrSetOf, covers, intersect, subtract, touches } from './cidr-set';
import { foreign, say, type Sentence, trusted } from '../text/sentence';
import { firstNetworkIn } from './public-space';
import type { AddressBounds } from './bounds';
import { doAllowsCount, doDeniesCount, type IpModel, isDenyStronger } from './evaluation-model';
import type { PolicySide } from './policy-side';
import type { Origin, VisibleRule } from '../model/declarations';

/** Whether a network gets in. If hidden rules decide, there is no answer. */
export interface AddressVerdict {
  readonly isAllLetIn: boolean | undefined;
  readonly isAllKeptOut: boolean | undefined;
  /** The rule that lets the network in, or the first part of it that gets in. */
  readonly whyIn: Reason;
  /** The rule that keeps the network out, or the first part of it that does not get in. */
  readonly whyOut: Reason;
}

export interface Reason {
  readonly text: Sentence;
  readonly origin?: Origin;
  /** The network of that rule, and when it ends. */
  readonly cidr?: string;
  readonly until?: string;
}

export function networkVerdict(
  side: PolicySide,
  network: Cidr,
  { model, bounds: { surely: atLeast, possibly: atMost } }: { model: IpModel; bounds: AddressBounds },
): AddressVerdict {
  const whole = cidrSetOf([network]);
  const partIn = firstNetworkIn(intersect(whole, atMost)) ?? network;
  const partOut = firstNetworkIn(subtract(whole, atLeast)) ?? network;
  return {
    isAllLetIn: covers(atLeast, network) || (covers(atMost, network) ? undefined : false),
    isAllKeptOut: !touches(atMost, network) || (touches(atLeast, network) ? false : undefined),
    whyIn: reasonIn(side, partIn, model),
    whyOut: reasonOut(side, partOut, model),
  };
}

function reasonIn(side: PolicySide, network: Cidr, model: IpModel): Reason {
  const allow = doAllowsCount(model) ? narrowestMatch(side, network, 'allow') : undefined;
  if (allow)
    return { text: say`${foreign(network.text)} is let in by ${describe(allow)}`, ...placeOf(allow) };
  return { text: say`${foreign(network.text)} is let in because no rule keeps it out` };
}

function reasonOut(side: PolicySide, network: Cidr, model: IpModel): Reason {
  const deny = doDeniesCount(model) ? narrowestMatch(side, network, 'deny') : undefined;
  if (deny && (isDenyStronger(model) || !narrowestMatch(side, network, 'allow'))) {
    return { text: say`${foreign(network.text)} is kept out by ${describe(deny)}`, ...placeOf(deny) };
  }
  return { text: say`${foreign(network.text)} is kept out because no rule lets it in` };
}

const placeOf = ({ origin, cidr, until }: VisibleRule): Omit<Reason, 'text'> => ({
  origin,
  cidr: cidr.text,
  ...(until !== undefined && { until }),
});

/** The narrowest rule that matches the whole network, else one that matches some of it. */
function narrowestMatch(side: PolicySide, network: Cidr, action: RuleAction): VisibleRule | undefined {
  const matching = side.rules.filter((rule) => rule.action === action && overlaps(rule.cidr, network));
  const around = matching.filter((rule) => contains(rule.cidr, network));
  const narrowest = (rules: readonly VisibleRule[]) =>
    rules.reduce<VisibleRule | undefined>(
      (best, rule) => (best && best.cidr.prefixLength >= rule.cidr.prefixLength ? best : rule),
      undefined,
    );
  return narrowest(around) ?? narrowest(matching);
}

const describe = (rule: VisibleRule): Sentence =>
  say`the ${trusted(rule.action)} rule ${foreign(rule.cidr.text)} of ${foreign(rule.origin.name)}`;
