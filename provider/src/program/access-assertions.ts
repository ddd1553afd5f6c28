import * as pulumi from './sdk';
import { nativeToken } from '../resources/provider-reference';
import { tokenIn } from './registration';

/**
 * An address, a network in CIDR notation, or a feed, which means all networks of a published list as they are at the base of
 * the change.
 */
export type AssertedNetwork = string | { readonly feed: string };

/** What must stay true of the addresses that are let in. What is not known at a preview is reported as not checked. */
export interface NetworkAssertions {
  /** Addresses or networks in CIDR notation. Every address in them must be let in. Default: none. */
  readonly mustAllow?: ListOf<AssertedNetwork>;
  /** Addresses or networks in CIDR notation. Every address in them must be kept out. Default: none. */
  readonly mustDeny?: ListOf<AssertedNetwork>;
  /** The only networks that may ever be let in. Default: no such limit. */
  readonly neverWiderThan?: ListOf<AssertedNetwork>;
}

type ListOf<Value> = pulumi.Input<readonly pulumi.Input<Value>[] | undefined>;

/** Assertions about an IP policy. */
export interface PolicyAssertions extends NetworkAssertions {
  /** The id of the policy, `ipp_…`. The stack must declare rules of it. Required. */
  readonly ipPolicyId: pulumi.Input<string>;
}

/** Assertions about the traffic policy of a TCP edge. */
export interface TrafficPolicyAssertions extends NetworkAssertions {
  /** The id of the TCP edge, `edgtcp_…`. The stack must declare its traffic policy. Required. */
  readonly edgeId: pulumi.Input<string>;
}

/** Assertions about a user agent filter. */
export interface UserAgentAssertions {
  /** The id of the HTTPS edge, `edghts_…`. Required. */
  readonly edgeId: pulumi.Input<string>;
  /** The id of the edge's route, `edghtsrt_…`. Required. */
  readonly routeId: pulumi.Input<string>;
  /** User-Agent headers of clients that must be let in; null means a client that sends none. Default: none. */
  readonly mustAllow?: ListOf<string | null>;
  /** User-Agent headers of clients that must be refused; null means a client that sends none. Default: none. */
  readonly mustDeny?: ListOf<string | null>;
}

/** The arguments of {@link AccessAssertions}. */
export interface AccessAssertionsArgs {
  /** Default: none. */
  readonly policies?: readonly PolicyAssertions[] | undefined;
  /** Default: none. */
  readonly tcpEdges?: readonly TrafficPolicyAssertions[] | undefined;
  /** Default: none. */
  readonly userAgentFilters?: readonly UserAgentAssertions[] | undefined;
}

/**
 * Asserts in the program what must stay true about access, next to the rules that make it so. `review` checks the assertions
 * in every preview and names the deciding rule. They create nothing on the service and cost no requests.
 */
export class AccessAssertions extends pulumi.ComponentResource {
  /** The type token. */
  static readonly __pulumiType = nativeToken('AccessAssertions');

  /** Whether a value is one of these components. */
  static override isInstance(value: unknown): value is AccessAssertions {
    return tokenIn(value) === AccessAssertions.__pulumiType;
  }

  constructor(name: string, args: AccessAssertionsArgs, opts?: pulumi.ComponentResourceOptions) {
    const { policies = [], tcpEdges = [], userAgentFilters = [] } = args;
    // The lists are always sent, so that a preview without them shows that its program hides inputs.
    super(AccessAssertions.__pulumiType, name, { policies, tcpEdges, userAgentFilters }, opts);
    this.registerOutputs();
  }
}
