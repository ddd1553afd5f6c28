import * as pulumi from './sdk';
import {
  httpsEdgeRouteUserAgentFilterModule,
  httpsEdgeRouteUserAgentFilterModuleFields,
  type HttpsEdgeRouteUserAgentFilterModuleInputs,
} from '../resources/https-edge-route-user-agent-filter-module';
import {
  functionOf,
  type LookUpFunction,
  type LookUpOutputFunction,
  moduleLookUp,
  outputFunctionOf,
} from './looking-up';
import { isOfType, registeredToken, registration } from './registration';

/** The arguments of an {@link HttpsEdgeRouteUserAgentFilterModule}. */
export interface HttpsEdgeRouteUserAgentFilterModuleArgs {
  /** The id of the HTTPS edge, `edghts_…`. Required. Changing it replaces the module. */
  readonly edgeId: pulumi.Input<string>;
  /** The id of the route, `edghtsrt_…`. Required. Changing it replaces the module. */
  readonly routeId: pulumi.Input<string>;
  /** Whether the module is applied. Default: `true`. Changing it updates the module. */
  readonly enabled?: pulumi.Input<boolean | undefined>;
  /** Regular expressions of user agents to allow. Default: none. Changing it updates the module; their order does not matter. */
  readonly allow?: pulumi.Input<readonly pulumi.Input<string>[] | undefined>;
  /** Regular expressions of user agents to deny. Default: none. Changing it updates the module; their order does not matter. */
  readonly deny?: pulumi.Input<readonly pulumi.Input<string>[] | undefined>;
  /**
   * Whether creating the module may replace a filter that the route already has. Default: `false`; without it, the create
   * fails and names what is there. Not sent to the service; changing it alone updates nothing.
   */
  readonly overwriteExisting?: pulumi.Input<boolean | undefined>;
}

/** The user agent filter module of an HTTPS edge route: patterns to allow and to deny, and whether it is enabled. */
export class HttpsEdgeRouteUserAgentFilterModule extends pulumi.CustomResource {
  /** The type token, by the host of the stack. */
  static get __pulumiType(): string {
    return registeredToken('HttpsEdgeRouteUserAgentFilterModule');
  }

  /** Whether a value is such a module, with either host. */
  static override isInstance(value: unknown): value is HttpsEdgeRouteUserAgentFilterModule {
    return isOfType('HttpsEdgeRouteUserAgentFilterModule', value);
  }

  /** The id of the HTTPS edge. */
  declare readonly edgeId: pulumi.Output<string>;
  /** The id of the route. */
  declare readonly routeId: pulumi.Output<string>;
  /** Whether the module is applied. */
  declare readonly enabled: pulumi.Output<boolean>;
  /** The patterns of user agents to allow. Their order may differ from that in the program, and does not matter. */
  declare readonly allow: pulumi.Output<string[]>;
  /** The patterns of user agents to deny. Their order may differ from that in the program, and does not matter. */
  declare readonly deny: pulumi.Output<string[]>;

  /**
   * Reads the module of a route that is managed elsewhere.
   *
   * @param id The ids of the HTTPS edge and the route, `edghts_…/edghtsrt_…`.
   * @throws at deployment if the route has no such module.
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): HttpsEdgeRouteUserAgentFilterModule {
    return new HttpsEdgeRouteUserAgentFilterModule(name, undefined, { ...opts, id });
  }

  /**
   * Declares the module.
   *
   * @param args Required, except in {@link HttpsEdgeRouteUserAgentFilterModule.get}.
   */
  constructor(
    name: string,
    args: HttpsEdgeRouteUserAgentFilterModuleArgs | undefined,
    opts?: pulumi.CustomResourceOptions,
  ) {
    super(
      ...registration({
        type: 'HttpsEdgeRouteUserAgentFilterModule',
        fields: httpsEdgeRouteUserAgentFilterModuleFields,
        name,
        args,
        opts,
      }),
    );
  }
}

/** What {@link getHttpsEdgeRouteUserAgentFilterModule} returns. */
export type GetHttpsEdgeRouteUserAgentFilterModuleResult = HttpsEdgeRouteUserAgentFilterModuleInputs;

/** The ids of the module that {@link getHttpsEdgeRouteUserAgentFilterModule} reads. */
export type GetHttpsEdgeRouteUserAgentFilterModuleArgs = Pick<
  GetHttpsEdgeRouteUserAgentFilterModuleResult,
  'edgeId' | 'routeId'
>;

const lookUp = moduleLookUp('HttpsEdgeRouteUserAgentFilterModule', httpsEdgeRouteUserAgentFilterModule);

/**
 * Reads the user agent filter module of an HTTPS edge route.
 *
 * @throws Error if the route has none, or if the service does not respond.
 */
export const getHttpsEdgeRouteUserAgentFilterModule: LookUpFunction<
  GetHttpsEdgeRouteUserAgentFilterModuleArgs,
  GetHttpsEdgeRouteUserAgentFilterModuleResult
> = functionOf(lookUp);

/** {@link getHttpsEdgeRouteUserAgentFilterModule} for arguments that are outputs of other resources. */
export const getHttpsEdgeRouteUserAgentFilterModuleOutput: LookUpOutputFunction<
  GetHttpsEdgeRouteUserAgentFilterModuleArgs,
  GetHttpsEdgeRouteUserAgentFilterModuleResult
> = outputFunctionOf(lookUp);
