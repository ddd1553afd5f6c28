import * as pulumi from './sdk';
import {
  tcpEdgeTrafficPolicyModule,
  tcpEdgeTrafficPolicyModuleFields,
  type TcpEdgeTrafficPolicyModuleInputs,
} from '../resources/tcp-edge-traffic-policy-module';
import { policyJson, serialisePolicyDocument, type TrafficPolicy } from '../values/policy-document';
import {
  functionOf,
  type LookUpFunction,
  type LookUpOutputFunction,
  moduleLookUp,
  outputFunctionOf,
} from './looking-up';
import type { InputsThroughout } from './sdk';
import { isOfType, registeredToken, registration } from './registration';

/** A {@link TrafficPolicy} of which every part may be an output of a resource. */
export type TrafficPolicyArgs = InputsThroughout<TrafficPolicy>;

/** The arguments of a {@link TcpEdgeTrafficPolicyModule}. */
export interface TcpEdgeTrafficPolicyModuleArgs {
  /** The id of the TCP edge, `edgtcp_…`. Required. Changing it replaces the module. */
  readonly edgeId: pulumi.Input<string>;
  /** Whether the module is applied to traffic. Default: `true`. Changing it updates the module. */
  readonly enabled?: pulumi.Input<boolean | undefined>;
  /**
   * The traffic policy: a JSON text, or the document itself. Its phases (`inbound`) hold rules, each with a name, expressions
   * and at least one action. Any part of the document may be an output. Required. Changing its meaning updates the module; spacing
   * and the order of keys do not matter.
   */
  readonly value: pulumi.Input<string> | TrafficPolicyArgs;
  /**
   * Whether creating the module may replace a policy that the edge already has. Default: `false`; without it, the create
   * fails and names what is there. Not sent to the service; changing it alone updates nothing.
   */
  readonly overwriteExisting?: pulumi.Input<boolean | undefined>;
}

/** The traffic policy module of a TCP edge: the policy for the endpoint's traffic, and whether it is enabled. */
export class TcpEdgeTrafficPolicyModule extends pulumi.CustomResource {
  /** The type token, by the host of the stack. */
  static get __pulumiType(): string {
    return registeredToken('TcpEdgeTrafficPolicyModule');
  }

  /** Whether a value is such a module, with either host. */
  static override isInstance(value: unknown): value is TcpEdgeTrafficPolicyModule {
    return isOfType('TcpEdgeTrafficPolicyModule', value);
  }

  /** The id of the TCP edge. */
  declare readonly edgeId: pulumi.Output<string>;
  /** Whether the module is applied to traffic. */
  declare readonly enabled: pulumi.Output<boolean>;
  /** The traffic policy as a JSON text. State, previews and programs of other languages hold it in lines. */
  declare readonly value: pulumi.Output<string>;

  /**
   * Reads the module of an edge that is managed elsewhere.
   *
   * @param id The id of the TCP edge, `edgtcp_…`.
   * @throws at deployment if the edge has no such module.
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): TcpEdgeTrafficPolicyModule {
    return new TcpEdgeTrafficPolicyModule(name, undefined, { ...opts, id });
  }

  /**
   * Declares the module.
   *
   * @param args Required, except in {@link TcpEdgeTrafficPolicyModule.get}.
   */
  constructor(
    name: string,
    args: TcpEdgeTrafficPolicyModuleArgs | undefined,
    opts?: pulumi.CustomResourceOptions,
  ) {
    const sent = args && { ...args, value: asText(args.value) };
    super(
      ...registration({
        type: 'TcpEdgeTrafficPolicyModule',
        fields: tcpEdgeTrafficPolicyModuleFields,
        name,
        args: sent,
        opts,
      }),
    );
  }
}

/** The SDK unwraps every part of the document. */
const asText = (value: TcpEdgeTrafficPolicyModuleArgs['value']): pulumi.Output<string> =>
  pulumi
    .output(value as pulumi.Input<string | TrafficPolicy>)
    .apply((known) => (typeof known === 'string' ? known : serialisePolicyDocument(known)));

const values = new WeakMap<object, pulumi.Output<string | undefined>>();

// The SDK assigns what the engine answers: lines, or what a mock returns. A program reads JSON.
Object.defineProperty(TcpEdgeTrafficPolicyModule.prototype, 'value', {
  get(this: object) {
    return values.get(this);
  },
  set(this: object, answered: pulumi.Output<string | object | undefined>) {
    values.set(this, answered.apply(asJson));
  },
});

const asJson = (value: string | object | undefined): string | undefined =>
  typeof value === 'object' ? JSON.stringify(value) : value && policyJson(value);

/** What {@link getTcpEdgeTrafficPolicyModule} returns. */
export type GetTcpEdgeTrafficPolicyModuleResult = TcpEdgeTrafficPolicyModuleInputs;

/** The ids of the module that {@link getTcpEdgeTrafficPolicyModule} reads. */
export type GetTcpEdgeTrafficPolicyModuleArgs = Pick<GetTcpEdgeTrafficPolicyModuleResult, 'edgeId'>;

const lookUp = moduleLookUp('TcpEdgeTrafficPolicyModule', tcpEdgeTrafficPolicyModule);

/**
 * Reads the traffic policy module of a TCP edge.
 *
 * @throws Error if the edge has none, or if the service does not respond.
 */
export const getTcpEdgeTrafficPolicyModule: LookUpFunction<
  GetTcpEdgeTrafficPolicyModuleArgs,
  GetTcpEdgeTrafficPolicyModuleResult
> = functionOf(lookUp);

/** {@link getTcpEdgeTrafficPolicyModule} for arguments that are outputs of other resources. */
export const getTcpEdgeTrafficPolicyModuleOutput: LookUpOutputFunction<
  GetTcpEdgeTrafficPolicyModuleArgs,
  GetTcpEdgeTrafficPolicyModuleResult
> = outputFunctionOf(lookUp);
