import { canonicalCidr } from '../../values/cidr';
import type { PolicyRule, ServiceRule } from '../../rule/rule';
import type { TimeWindow } from './time-window';

/** All rules of an account, by id, and by policy and network. */
export class RuleList {
  readonly byId: ReadonlyMap<string, ServiceRule>;
  private readonly byPlace = new Map<string, ServiceRule[]>();

  constructor(
    rules: readonly ServiceRule[],
    /** Milliseconds to add to our time to get the service's. */
    readonly offsetMs: number,
  ) {
    this.byId = new Map(rules.map((rule) => [rule.id, rule]));
    for (const rule of rules) {
      const place = placeOf(rule);
      const there = this.byPlace.get(place);
      if (there === undefined) this.byPlace.set(place, [rule]);
      else there.push(rule);
    }
  }

  /** The rules for the network of a create, in its policy. */
  at(wanted: PolicyRule): readonly ServiceRule[] {
    return this.byPlace.get(placeOf(wanted)) ?? [];
  }
}

const placeOf = ({ ipPolicyId, cidr }: PolicyRule): string => `${ipPolicyId} ${canonicalCidr(cidr)}`;

/** The evidence by which operations on rules are judged. */
export interface RuleEvidence {
  /** The live objects that the stack manages, each with the URN of its resource. */
  readonly managedIds: ReadonlyMap<string, string>;
  readonly window: TimeWindow;
  /** Whether the state says that the operations began: without that, a matching rule may be another stack's. */
  readonly isRecorded: boolean;
  /** Rules that the operator has said to take. */
  readonly takeIds: readonly string[];
}
