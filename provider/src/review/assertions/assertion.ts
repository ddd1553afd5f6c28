import type { FindingId } from '../findings/catalog';
import type { Known } from '../model/known';
import type { Origin } from '../model/origin';
import type { Sentence } from '../report/sentence';

/** What somebody wants to stay true of a policy or a filter. */
export interface Assertion {
  readonly kind: 'address' | 'user-agent';
  /** The policy, or `edge/route`. */
  readonly subject: Known<string>;
  readonly expectation: 'allow' | 'deny';
  /** An address, a network, or the user agent header; null for a client that sends none. */
  readonly target: string | null;
}

/** A finding that somebody accepts for a time. */
export interface Waiver {
  readonly finding: FindingId;
  /** A policy, an edge, `edge/route`, a resource's name or its URN; absent for all of them. */
  readonly subject?: string;
  readonly reason: string;
  /** The last day on which it holds, as `2027-01-31`. */
  readonly expires: string;
}

/** What an assertion file, or a program, asks for. */
export interface AssertionSet {
  readonly assertions: readonly Assertion[];
  readonly waivers: readonly Waiver[];
}

/** What became of an assertion. */
export interface AssertionResult {
  readonly assertion: Assertion;
  readonly outcome: 'holds' | 'fails' | 'not-checked';
  /** The rule or pattern that decides, in words. */
  readonly because: Sentence;
  /** Where that rule is declared. */
  readonly origin?: Origin;
}

/** A result without a deciding rule of the stack. */
export const notChecked = (assertion: Assertion, because: Sentence): AssertionResult => ({
  assertion,
  outcome: 'not-checked',
  because,
});
