import type { Cidr } from '../../values/cidr';
import { contains, overlaps } from '../../values/cidr';
import type { Origin } from '../model/origin';
import type { Sentence } from '../report/sentence';
import { foreign, say, words } from '../report/sentence';
import type { AddressSet } from './address-set';
import { everything, includesRange, intersect, subtract, toCidrs, touchesRange } from './address-set';
import type { IpModel } from './evaluation-model';
import { doAllowsCount, doDeniesCount, isDenyStronger } from './evaluation-model';
import type { PolicySide, VisibleRule } from './policy-side';
import { evaluate } from './policy-side';

/** What becomes of a network. A question that hidden rules leave open has no answer. */
export interface AddressVerdict {
  readonly isAllLetIn: boolean | undefined;
  readonly isAllKeptOut: boolean | undefined;
  /** The rule that lets the network in, or the first part of it that gets in. */
  readonly whyIn: Reason;
  /** The rule that keeps the network out, or the first part of it that does not get in. */
  readonly whyOut: Reason;
}

/** A deciding rule in words, and where it is declared. */
export interface Reason {
  readonly text: Sentence;
  readonly origin?: Origin;
}

/** Decides about a network by the rules of a policy. */
export function judgeNetwork(side: PolicySide, network: Cidr, model: IpModel): AddressVerdict {
  const bounds = boundsOf(side, network, model);
  const partIn = firstNetwork(network, intersect([network], bounds.atMost));
  const partOut = firstNetwork(network, subtract([network], bounds.atLeast));
  return {
    isAllLetIn:
      includesRange(bounds.atLeast, network) || (includesRange(bounds.atMost, network) ? undefined : false),
    isAllKeptOut:
      !touchesRange(bounds.atMost, network) || (touchesRange(bounds.atLeast, network) ? false : undefined),
    whyIn: reasonIn(side, partIn, model),
    whyOut: reasonOut(side, partOut, model),
  };
}

interface Bounds {
  readonly atLeast: AddressSet;
  readonly atMost: AddressSet;
}

/** Hidden rules could match everything or nothing: whatever holds in both extremes holds. */
function boundsOf(side: PolicySide, { family }: Cidr, model: IpModel): Bounds {
  const { allowed, denied, letIn } = side.families[family];
  if (side.hiddenRules.length === 0) return { atLeast: letIn, atMost: letIn };
  const couldBe = (action: 'allow' | 'deny') =>
    side.hiddenRules.some((rule) => !rule.action.isKnown || rule.action.value === action);
  const all = everything(family);
  return {
    atLeast: evaluate(family, { allowed, denied: couldBe('deny') ? all : denied }, model),
    atMost: evaluate(family, { allowed: couldBe('allow') ? all : allowed, denied }, model),
  };
}

const firstNetwork = (whole: Cidr, part: AddressSet): Cidr =>
  toCidrs(whole.family, part.slice(0, 1))[0] ?? whole;

function reasonIn(side: PolicySide, network: Cidr, model: IpModel): Reason {
  const allow = doAllowsCount(model) ? narrowestMatch(side, network, 'allow') : undefined;
  if (allow)
    return { text: say`${foreign(network.text)} is let in by ${describe(allow)}`, origin: allow.origin };
  return { text: say`${foreign(network.text)} is let in as no rule keeps it out` };
}

function reasonOut(side: PolicySide, network: Cidr, model: IpModel): Reason {
  const deny = doDeniesCount(model) ? narrowestMatch(side, network, 'deny') : undefined;
  if (deny && (isDenyStronger(model) || !narrowestMatch(side, network, 'allow'))) {
    return { text: say`${foreign(network.text)} is kept out by ${describe(deny)}`, origin: deny.origin };
  }
  return { text: say`${foreign(network.text)} is kept out as no rule lets it in` };
}

/** The narrowest rule that matches the whole network, else one that matches some of it. */
function narrowestMatch(
  side: PolicySide,
  network: Cidr,
  action: VisibleRule['action'],
): VisibleRule | undefined {
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
  say`the ${words(rule.action)} rule ${foreign(rule.cidr.text)} of ${foreign(rule.origin.name)}`;
