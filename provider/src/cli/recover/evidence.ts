import type { IpPolicyRuleWire } from '../../api/wire';
import type { TimeWindow } from './time-window';

/** What operations on rules are judged by. */
export interface ListEvidence {
  /** All rules of the account. */
  readonly rules: readonly IpPolicyRuleWire[];
  /** The live objects that the stack manages, each with the URN of its resource. */
  readonly managedIds: ReadonlyMap<string, string>;
  readonly window: TimeWindow;
  /** What to add to our time for that of the service. */
  readonly offsetMs: number;
  /** Rules that the operator has said to take. */
  readonly takeIds: readonly string[];
}

/** A live rule in words, without texts that could be secret. */
export const nameOfRule = ({ id, action, cidr, created_at }: IpPolicyRuleWire): string =>
  `${id} (${action} ${cidr}, created ${created_at})`;
