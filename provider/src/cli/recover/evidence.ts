import type { IpPolicyRuleCreateWire, IpPolicyRuleWire } from '../../api/wire';
import { canonicalNetworkText } from '../../rule-set/network';
import type { TimeWindow } from './time-window';

/** All rules of an account, found by id and by what a second one would be refused for. */
export class RuleList {
  readonly byId: ReadonlyMap<string, IpPolicyRuleWire>;
  readonly #byPlace = new Map<string, IpPolicyRuleWire[]>();

  constructor(
    rules: readonly IpPolicyRuleWire[],
    /** What to add to our time for that of the service. */
    readonly offsetMs: number,
  ) {
    this.byId = new Map(rules.map((rule) => [rule.id, rule]));
    for (const rule of rules) {
      const place = placeOf(rule.ip_policy.id, rule.cidr);
      const there = this.#byPlace.get(place);
      if (there === undefined) this.#byPlace.set(place, [rule]);
      else there.push(rule);
    }
  }

  /** The rules for the network of a create, in its policy. */
  at({ ip_policy_id, cidr }: IpPolicyRuleCreateWire): readonly IpPolicyRuleWire[] {
    return this.#byPlace.get(placeOf(ip_policy_id, cidr)) ?? [];
  }
}

const placeOf = (policyId: string, cidr: string): string => `${policyId} ${canonicalNetworkText(cidr)}`;

/** What operations on rules are judged by, whatever their account. */
export interface RuleEvidence {
  /** The live objects that the stack manages, each with the URN of its resource. */
  readonly managedIds: ReadonlyMap<string, string>;
  readonly window: TimeWindow;
  /** Rules that the operator has said to take. */
  readonly takeIds: readonly string[];
}

/** A live rule in words, without texts that could be secret. */
export const nameOfRule = ({ id, action, cidr, created_at }: IpPolicyRuleWire): string =>
  `${id} (${action} ${cidr}, created ${created_at})`;
