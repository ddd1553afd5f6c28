// A site: the networks that its policy lets in, and an edge that refuses whom the policy denies.
import * as pulumi from '@pulumi/pulumi';
import { IpPolicyRuleSet, listIpPolicyRulesOutput, TcpEdgeTrafficPolicyModule } from 'pulumi-edge-policy';

/** The arguments of a site. */
export interface SiteArgs {
  readonly ipPolicyId: pulumi.Input<string>;
  readonly edgeId: pulumi.Input<string>;
  /** The networks that are let in, in CIDR notation. */
  readonly offices: readonly pulumi.Input<string>[];
}

/** A site in the account of its provider, which it hands on to all that it declares and asks. */
export class Site extends pulumi.ComponentResource {
  /** The networks that the policy denies, whoever declares them. */
  readonly denied: pulumi.Output<string[]>;
  readonly policy: pulumi.Output<string>;

  constructor(name: string, args: SiteArgs, opts?: pulumi.ComponentResourceOptions) {
    super('examples:index:Site', name, {}, opts);
    const { ipPolicyId, edgeId } = args;
    const rules = args.offices.map((cidr) => ({ cidr, action: 'allow' as const }));
    new IpPolicyRuleSet(`${name}-offices`, { ipPolicyId, rules }, { parent: this });

    const found = listIpPolicyRulesOutput({ ipPolicyId, action: 'deny' }, { parent: this });
    this.denied = found.apply((denies) => denies.map(({ cidr }) => cidr));
    const inbound = this.denied.apply((networks) =>
      networks.map((network) => ({
        name: `deny-${network}`,
        expressions: [`inCidrRange(conn.client_ip, '${network}')`],
        actions: [{ type: 'deny' }],
      })),
    );
    const edge = new TcpEdgeTrafficPolicyModule(
      `${name}-edge`,
      { edgeId, value: { inbound } },
      { parent: this },
    );
    this.policy = edge.value;
    this.registerOutputs({ denied: this.denied, policy: this.policy });
  }
}
