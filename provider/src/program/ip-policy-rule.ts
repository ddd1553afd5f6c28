import * as pulumi from './sdk';
import { ipPolicyRuleFields, ipPolicyRuleOutputs, type RuleTexts } from '../rule/rule';
import type { Inputs } from './sdk';
import { isOfType, registeredToken, registration } from './registration';

/** The arguments of an {@link IpPolicyRule}. */
export interface IpPolicyRuleArgs extends Inputs<RuleTexts> {
  /**
   * The source IP or range of the rule, in CIDR notation, IPv4 or IPv6. A bare address means that single address (`/32` or
   * `/128`); IPv6 is stored in its RFC 5952 form. Host bits must not be set. Required. Changing it updates the rule.
   */
  readonly cidr: pulumi.Input<string>;
  /** What the rule does with the source: `allow` or `deny`. Required. Changing it replaces the rule. */
  readonly action: pulumi.Input<'allow' | 'deny'>;
  /** The id of the IP policy that the rule belongs to, `ipp_…`. Required. Changing it replaces the rule. */
  readonly ipPolicyId: pulumi.Input<string>;
  /**
   * Whether creating the rule may take over a rule for this network that the policy already holds, for example after a move
   * out of a rule set. A rule with the other action is deleted and created again. Default: `false`; without it, the create
   * fails if the service refuses a second rule, and names the existing one. Not sent to the service; changing it alone
   * updates nothing.
   */
  readonly overwriteExisting?: pulumi.Input<boolean | undefined>;
}

/**
 * A rule of an IP policy, which allows or denies a source IP or range.
 *
 * Name a rule after its purpose, such as `allow-office`: changing its network then updates it in place. For rules from a
 * list, which have no names, use {@link IpPolicyRuleSet}.
 */
export class IpPolicyRule extends pulumi.CustomResource {
  /** The type token, by the host of the stack. */
  static get __pulumiType(): string {
    return registeredToken('IpPolicyRule');
  }

  /** Whether a value is a rule, with either host. */
  static override isInstance(value: unknown): value is IpPolicyRule {
    return isOfType('IpPolicyRule', value);
  }

  /** The network in canonical form. */
  declare readonly cidr: pulumi.Output<string>;
  /** What the rule does with the source. */
  declare readonly action: pulumi.Output<'allow' | 'deny'>;
  /** The id of the IP policy that the rule belongs to. */
  declare readonly ipPolicyId: pulumi.Output<string>;
  /** The description for people, if the rule has one. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** The data for machines, if the rule has any. */
  declare readonly metadata: pulumi.Output<string | undefined>;
  /** The URI of the rule. */
  declare readonly uri: pulumi.Output<string>;
  /** When the rule was created, in RFC 3339 format. */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * Reads a rule that is managed elsewhere.
   *
   * @param id The id of the rule, `ipr_…`.
   * @throws at deployment if the service has no such rule.
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): IpPolicyRule {
    return new IpPolicyRule(name, undefined, { ...opts, id });
  }

  /**
   * Declares a rule.
   *
   * @param args Required, except in {@link IpPolicyRule.get}.
   */
  constructor(name: string, args: IpPolicyRuleArgs | undefined, opts?: pulumi.CustomResourceOptions) {
    const [fields, outputs] = [ipPolicyRuleFields, ipPolicyRuleOutputs];
    super(...registration({ type: 'IpPolicyRule', fields, outputs, name, args, opts }));
  }
}
