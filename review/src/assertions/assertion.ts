// What for: the assertion file: what must stay true, what the gate demands, which findings are waived.
// Must not know: `report`, `plan` and `commands`; it reads no file by itself.
import type { FindingId } from '../findings/catalog';
import type { Known } from '../model/known';
import type { Origin, VisibleRule } from '../model/declarations';
import type { Sentence } from '../text/sentence';
import type { Gate } from './gate';

/** What somebody wants to stay true of a policy or a filter. */
export interface Assertion {
  /** Who gets in by a policy, who gets a connection of a TCP edge, or which client a filter lets in. */
  readonly kind: 'address' | 'connection' | 'user-agent';
  /** The policy, the TCP edge, or `edge/route`. */
  readonly subject: Known<string>;
  /** `within`: nobody outside `networks` is let in. */
  readonly expectation: 'allow' | 'deny' | 'within';
  /** An address, a network, or the user agent header; null for a client that sends none. */
  readonly target: string | null;
  readonly networks?: readonly string[];
  /** Feeds that are named in the place of networks; which networks those are, the base decides and not the change. */
  readonly feeds?: readonly string[];
}

/** A feed as an assertion names it, in words. */
export const feedInWords = (name: string): string => `feed ${name}`;

/** A finding that somebody accepts for a time. */
export interface Waiver {
  readonly finding: FindingId;
  /** What it covers, by kind and id: `policy:…`, `edge:…`, `route:EDGE/ROUTE` or `resource:URN`. */
  readonly subject: string;
  readonly reason: string;
  /** The last day on which it holds, as `2027-01-31`. */
  readonly expires: string;
}

/** What an assertion file, or a program, asks for. */
export interface AssertionSet {
  readonly assertions: readonly Assertion[];
  readonly waivers: readonly Waiver[];
  /** Thresholds and models: they stand beside the assertions so that a review sees them change. */
  readonly gate: Gate;
}

/** A project that asks for nothing. */
export const NO_ASSERTIONS: AssertionSet = { assertions: [], waivers: [], gate: {} };

/** An end at which an assertion breaks, and a rule that ends then. */
export interface Breaking {
  readonly until: string;
  readonly rule: VisibleRule;
}

/** What became of an assertion. */
export interface AssertionResult {
  readonly assertion: Assertion;
  readonly outcome: 'holds' | 'fails' | 'not-checked';
  /** The rule or pattern that decides, in words. */
  readonly because: Sentence;
  /** Where that rule is declared. */
  readonly origin?: Origin;
  /** When an assertion that holds breaks by itself, as a rule ends; it is no news if it would have without the change. */
  readonly breaking?: Breaking & { readonly isNew: boolean };
}

/** A result without a deciding rule of the stack. */
export const notChecked = (assertion: Assertion, because: Sentence): AssertionResult => ({
  assertion,
  outcome: 'not-checked',
  because,
});
