import * as pulumi from './sdk';

/** An address or a network in CIDR notation, or a feed: all networks of a published list, as the base of a change has them. */
export type AssertedNetwork = string | { readonly feed: string };

/** What must stay true of an IP policy. */
export interface PolicyAssertions {
  /** The id of the policy, `ipp_…`, one that the stack declares rules of. Required. */
  readonly ipPolicyId: pulumi.Input<string>;
  /** Addresses, or networks in CIDR notation of which every address must be let in. Default: none. */
  readonly mustAllow?: readonly AssertedNetwork[];
  /** Addresses, or networks in CIDR notation of which no address may be let in. Default: none. */
  readonly mustDeny?: readonly AssertedNetwork[];
  /** The widest that the policy may ever be: nobody outside these networks is let in. Default: no such limit. */
  readonly neverWiderThan?: readonly AssertedNetwork[];
}

/** What must stay true of the traffic policy of a TCP edge. */
export interface TrafficPolicyAssertions {
  /** The id of the TCP edge, `edgtcp_…`, one that the stack declares a traffic policy of. Required. */
  readonly edgeId: pulumi.Input<string>;
  /** Addresses, or networks in CIDR notation of which every address must be let in. Default: none. */
  readonly mustAllow?: readonly AssertedNetwork[];
  /** Addresses, or networks in CIDR notation of which no address may be let in. Default: none. */
  readonly mustDeny?: readonly AssertedNetwork[];
  /** The widest that the edge may ever be: nobody outside these networks is let in. Default: no such limit. */
  readonly neverWiderThan?: readonly AssertedNetwork[];
}

/** What must stay true of a user agent filter. */
export interface UserAgentAssertions {
  /** The id of the HTTPS edge, `edghts_…`. Required. */
  readonly edgeId: pulumi.Input<string>;
  /** The id of the edge's route, `edghtsrt_…`. Required. */
  readonly routeId: pulumi.Input<string>;
  /** Headers of clients that must be let in; null is a client that sends none. Default: none. */
  readonly mustAllow?: readonly (string | null)[];
  /** Headers of clients that must be refused; null is a client that sends none. Default: none. */
  readonly mustDeny?: readonly (string | null)[];
}

/** The arguments of {@link AccessAssertions}. */
export interface AccessAssertionsArgs {
  /** Default: none. */
  readonly policies?: readonly PolicyAssertions[];
  /** Default: none. */
  readonly tcpEdges?: readonly TrafficPolicyAssertions[];
  /** Default: none. */
  readonly userAgentFilters?: readonly UserAgentAssertions[];
}

/**
 * States in the program what must stay true of access, next to the rules that make it so. `review` checks it
 * in every preview and names the rule that decides. It is not an object on the service and costs no request.
 */
export class AccessAssertions extends pulumi.ComponentResource {
  constructor(name: string, args: AccessAssertionsArgs, opts?: pulumi.ComponentResourceOptions) {
    const { policies = [], tcpEdges = [], userAgentFilters = [] } = args;
    // The lists are always sent, so that a preview without them shows that its program hides inputs.
    super('edge-policy:index:AccessAssertions', name, { policies, tcpEdges, userAgentFilters }, opts);
    this.registerOutputs();
  }
}
