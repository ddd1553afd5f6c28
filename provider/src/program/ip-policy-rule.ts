import * as pulumi from './sdk';
import type { RuleTexts } from '../rule/rule';
import { ipPolicyRuleFields, ipPolicyRuleOutputs, type IpPolicyRuleState } from '../rule/rule-state';
import type { Inputs, Outputs } from './properties';
import { lookUpOptions, registeredToken, resourceOptions, resourceProperties } from './registration';
import { warnOfSharedNetworks } from './shared-networks';

/** The arguments of an {@link IpPolicyRule}. */
export interface IpPolicyRuleArgs extends Inputs<RuleTexts> {
  /**
   * The source IP or range of the rule, in CIDR notation, IPv4 or IPv6. A bare address means that single address (`/32` or
   * `/128`); IPv6 is kept in its RFC 5952 form; host bits must not be set. Required. A change
   * updates the rule.
   */
  readonly cidr: pulumi.Input<string>;
  /** What the rule does with the source: `allow` or `deny`. Required. A change replaces the rule. */
  readonly action: pulumi.Input<'allow' | 'deny'>;
  /** The id of the IP policy that the rule belongs to, `ipp_…`. Required. A change replaces the rule. */
  readonly ipPolicyId: pulumi.Input<string>;
  /**
   * Whether a create may take over a rule for this network that the policy holds already, as after a move from a rule set
   * that another resource no longer declares. A rule with the other action is deleted and created anew. Default `false`:
   * the create then fails if the service refuses a second rule, and names the existing one. Not sent to the service; a
   * change updates nothing.
   */
  readonly overwriteExisting?: pulumi.Input<boolean | undefined>;
}

/** The properties of a rule that a program reads. */
type Read = Outputs<Omit<IpPolicyRuleState, 'overwriteExisting'>>;

/**
 * A rule of an IP policy: it allows or denies a source IP or range.
 *
 * Name a rule after its purpose (`allow-office`): a changed network is then an update in place. For rules from
 * a list, which have no names, use {@link IpPolicyRuleSet}.
 */
export class IpPolicyRule extends pulumi.CustomResource implements Read {
  /** The network in canonical form. */
  declare readonly cidr: pulumi.Output<string>;
  /** What the rule does with the source. */
  declare readonly action: pulumi.Output<'allow' | 'deny'>;
  /** The id of the IP policy that the rule belongs to. */
  declare readonly ipPolicyId: pulumi.Output<string>;
  /** The description for people; absent if the rule has none. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** The data for machines; absent if the rule has none. */
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
    return new IpPolicyRule(name, undefined, lookUpOptions(id, opts));
  }

  /**
   * Declares a rule.
   *
   * @param args Required, except in {@link IpPolicyRule.get}.
   */
  constructor(name: string, args: IpPolicyRuleArgs | undefined, opts?: pulumi.CustomResourceOptions) {
    const properties = resourceProperties('IpPolicyRule', args, [
      ...Object.keys(ipPolicyRuleFields),
      ...Object.keys(ipPolicyRuleOutputs),
    ]);
    super(registeredToken('IpPolicyRule'), name, properties, resourceOptions('IpPolicyRule', opts));
    if (args === undefined) return;
    const networks = this.cidr.apply((cidr) => [cidr]);
    warnOfSharedNetworks({ resource: this, name, ipPolicyId: this.ipPolicyId, networks });
  }
}
