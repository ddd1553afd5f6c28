import * as pulumi from './sdk';
import type { RuleTexts } from '../rule/rule';
import { withOpenFields } from '../rule-set/rule-line';
import type { Inputs } from './sdk';

/** One rule of an {@link IpPolicyRuleSet}, without its network. */
export interface IpPolicyRuleSetRuleArgs extends Inputs<RuleTexts> {
  /** What the rule does with the source: `allow` or `deny`. Required. */
  readonly action: pulumi.Input<'allow' | 'deny'>;
  /**
   * When the rule ends: an RFC 3339 time such as `2026-12-31T17:00:00Z`, or a date, which means the end of that day in UTC.
   * From then on the set leaves the rule out, and the next `up` deletes it. Not sent to the service, which cannot end a rule
   * by itself: run a scheduled `up` to end the access. Optional.
   */
  readonly until?: pulumi.Input<string | undefined>;
  /**
   * The named list that the rule is from, as `rulesFrom` sets it: lower-case letters and digits, with hyphens between them, at
   * most 63 characters. Not sent to the service; previews and reviews show it. Optional.
   */
  readonly list?: pulumi.Input<string | undefined>;
}

/** One rule of an {@link IpPolicyRuleSet} that is declared as a list. */
export interface IpPolicyRuleSetListedRuleArgs extends IpPolicyRuleSetRuleArgs {
  /**
   * The source IP or range, in CIDR notation, IPv4 or IPv6. A bare address means that single address (`/32` or `/128`). Host
   * bits must not be set. Required.
   */
  readonly cidr: pulumi.Input<string>;
}

/**
 * A network as a key: each contains a dot or a colon. If the key were `string`, the compiler would take a list with a typo for
 * a map, and report that a map has no `cidr`.
 */
type NetworkKey = `${string}.${string}` | `${string}:${string}`;

/** In an output the compiler takes `'allow'` for any text. A preview refuses other texts. */
type Computed<Rule> = Omit<Rule, 'action'> & { readonly action: pulumi.Input<string> };

/** One of the rules, which may be an output. */
type InputRule<Rule> = Rule | Promise<Rule> | pulumi.OutputInstance<Computed<Rule>>;

/** The rules of a set as a list. */
export type IpPolicyRuleSetList = readonly InputRule<IpPolicyRuleSetListedRuleArgs>[];

/** The rules of a set as a map from CIDR to the rest. */
export type IpPolicyRuleSetMap = Readonly<Record<NetworkKey, InputRule<IpPolicyRuleSetRuleArgs>>>;

/** The rules of a set: a list, or a map from CIDR to the rest. */
export type IpPolicyRuleSetRules =
  | IpPolicyRuleSetList
  | IpPolicyRuleSetMap
  | Promise<IpPolicyRuleSetList | IpPolicyRuleSetMap>
  | pulumi.OutputInstance<
      | readonly pulumi.Input<Computed<IpPolicyRuleSetListedRuleArgs>>[]
      | Readonly<Record<NetworkKey, pulumi.Input<Computed<IpPolicyRuleSetRuleArgs>>>>
    >;

/**
 * The rules as one text for the engine. Unknown values do not make the whole text unknown: a rule lists its open fields under a
 * key of its own. A secret anywhere makes the whole text secret, and the resources that values come from remain dependencies.
 */
export function rulesText(rules: IpPolicyRuleSetRules): pulumi.Output<string> {
  // The SDK walks every value several times, which is most of the time that a long plain list takes.
  if (isPlain(rules)) return pulumi.output(JSON.stringify(rules));
  return pulumi.applyWithUnknowns(pulumi.output<unknown>(rules), serialise);
}

/** Whether a value is plain data throughout: no output, no promise, no instance of a class. */
function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function';
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== Array.prototype) return false;
  return Object.values(value).every(isPlain);
}

function serialise(rules: unknown): string {
  if (!pulumi.containsUnknowns(rules)) return JSON.stringify(rules);
  // The SDK recognises this value: the text as a whole is unknown.
  if (pulumi.isUnknown(rules)) return rules as string;
  return JSON.stringify(withOpenFields(rules as object, unknownsOfProgram));
}

const unknownsOfProgram = { isUnknown: pulumi.isUnknown, containsUnknown: pulumi.containsUnknowns };
