import {
  type CidrSet,
  cidrSetOf,
  complement,
  intersect,
  overlap,
  subtract,
  networkIn,
} from '../access/cidr-set';
import type { FindingId } from '../findings/catalog';
import type { Known } from '../model/known';
import type { Origin } from '../model/declarations';
import { foreign, say, type Sentence, trusted } from '../text/sentence';
import type { Gate } from './gate';
import { untilAt } from 'pulumi-edge-policy/internal/values/until';
import type { AddressBounds } from '../access/bounds';
import type { Moment } from '../access/timeline';

export interface Assertion {
  /** The kind of access: by the addresses of a policy, by connections through a TCP edge, or by the clients of a filter. */
  readonly kind: 'address' | 'connection' | 'user-agent';
  /** The policy, the TCP edge, or `edge/route`. */
  readonly subject: Known<string>;
  /** `within`: nobody outside `networks` is let in. */
  readonly expectation: 'allow' | 'deny' | 'within';
  /** An address, a network, or the user agent header; null for a client that sends none. */
  readonly target: string | null;
  readonly networks?: readonly string[];
  /** Feeds that are named instead of networks. Their networks come from the base and not from the change. */
  readonly feeds?: readonly string[];
}

export const feedInWords = (name: string): string => `feed ${name}`;

export interface Waiver {
  readonly finding: FindingId;
  /** What it covers, by kind and id: `policy:…`, `edge:…`, `route:EDGE/ROUTE` or `resource:URN`. */
  readonly subject: string;
  /** What it covers of that subject: a finding is covered only if all that it is about lies within. */
  readonly networks?: readonly string[];
  readonly patterns?: readonly string[];
  readonly clients?: readonly string[];
  /** The keys of the entries of assertions. */
  readonly assertion?: readonly string[];
  readonly reason: string;
  /** The last day on which it holds, as `2027-01-31`. */
  readonly expires: string;
}

export interface AssertionSet {
  readonly assertions: readonly Assertion[];
  readonly waivers: readonly Waiver[];
  /** Thresholds and models: they are in the same file so that a review sees them change. */
  readonly gate: Gate;
  /** What a base holds that an earlier version accepted, in words. */
  readonly ignored?: readonly string[];
}

export const NO_ASSERTIONS: AssertionSet = { assertions: [], waivers: [], gate: {} };

export interface AssertionResult {
  readonly assertion: Assertion;
  readonly outcome: 'holds' | 'fails' | 'not-checked';
  /** The rule or pattern that decides, in words. */
  readonly because: Sentence;
  readonly origin?: Origin;
  /** The addresses that are, or may be, on the wrong side; absent if they are not known. */
  readonly offenders?: CidrSet;
  /** Whether the base breaks it already, as far as the change does. */
  readonly isOld?: boolean;
  readonly advice?: string;
  /** When an assertion that holds breaks, as rules end. It is no news if it held before and would break by then without the change. */
  readonly breaking?: { readonly until: string; readonly isNew: boolean };
}

/** By what a waiver names an assertion: its entry, whatever its subject. */
export const assertionKey = ({ expectation, target }: Assertion): string =>
  JSON.stringify([expectation, target]);

export const notChecked = (assertion: Assertion, because: Sentence): AssertionResult => ({
  assertion,
  outcome: 'not-checked',
  because,
});

export function describeAssertion({ expectation, target, kind }: Assertion): Sentence {
  if (target === '') return trusted('nobody may be let in');
  const what = target === null ? trusted('a client without a user agent') : foreign(target);
  const noun = kind !== 'user-agent' ? trusted('') : trusted(target === null ? '' : 'the client ');
  if (expectation === 'within') return say`nobody outside ${what} may be let in`;
  return say`${noun}${what} must be ${trusted(expectation === 'allow' ? 'let in' : 'kept out')}`;
}

/** The networks that an assertion names; a text that is none is ignored here and reported by the check. */
export const networksOf = ({ target, networks = [target ?? ''] }: Assertion): CidrSet =>
  cidrSetOf(networks.flatMap((network) => networkIn(network) ?? []));

interface Break {
  readonly atMs: number;
  readonly until: string;
  readonly offenders: CidrSet;
  readonly isSure: boolean;
}

/** When what holds at the apply breaks, as rules end: for any reason, or for addresses that would be right without the change. */
export function breakOf(
  { expectation, named }: Pick<Assertion, 'expectation'> & { readonly named: CidrSet },
  moments: readonly Moment[],
  whose: 'any' | 'of the change',
): Break | undefined {
  const wrong = expectation === 'within' ? complement(named) : named;
  const offendersAt = ({ concerned, after, gained, lost }: Moment): AddressBounds => {
    const isShut = expectation === 'allow';
    if (whose === 'of the change') return isShut ? lost : gained;
    if (!isShut) return after;
    return { surely: subtract(concerned, after.possibly), possibly: subtract(concerned, after.surely) };
  };
  const first = moments.find((moment) => overlap(offendersAt(moment).possibly, wrong));
  if (!first) return undefined;
  const { surely, possibly } = offendersAt(first);
  const isSure = overlap(surely, wrong);
  const offenders = intersect(isSure ? surely : possibly, wrong);
  return { atMs: first.atMs, until: untilAt(first.atMs), offenders, isSure };
}
