// Traffic policy module of a TCP edge (API document 2.4, 4.2)
//
//   create  PUT    /edges/tcp/{id}/traffic_policy   looks first: other content is not overwritten unasked
//   read    GET    /edges/tcp/{id}/traffic_policy   404, null or {} = none
//   update  PUT    /edges/tcp/{id}/traffic_policy   always all fields
//   delete  DELETE /edges/tcp/{id}/traffic_policy   404 = done
import * as pulumi from '@pulumi/pulumi';
import type { ApiClient } from '../api/client';
import type { TcpEdgeTrafficPolicyModuleWire } from '../api/wire';
import { type FieldTable, withDefaults } from '../lifecycle/fields';
import type { Lifecycle } from '../lifecycle/lifecycle';
import { keepEqualText } from '../lifecycle/outputs';
import type { ModuleEndpoint } from '../settle/presence';
import type { Tools } from '../settle/tools';
import {
  isEmptyPolicyDocument,
  serialisePolicyDocument,
  type TrafficPolicy,
} from '../values/policy-document';
import { policyJson, policyLines } from '../values/policy-text';
import { booleanField, identifierField, policyDocumentField, settingField } from './fields';
import { moduleLifecycle } from './module-lifecycle';
import { lookUpOptions, resourceOptions, resourceProperties, typeToken } from './provider-reference';

/** The inputs of the module with all values known. */
export interface TcpEdgeTrafficPolicyModuleInputs {
  readonly edgeId: string;
  readonly enabled: boolean;
  /** The policy in lines; see `values/policy-text.ts`. */
  readonly value: string;
  readonly overwriteExisting?: boolean;
}

/** What state holds of the module. */
export type TcpEdgeTrafficPolicyModuleState = TcpEdgeTrafficPolicyModuleInputs;

/** Every field of the module, said once. */
export const tcpEdgeTrafficPolicyModuleFields: FieldTable<TcpEdgeTrafficPolicyModuleInputs> = {
  edgeId: { ...identifierField('tcpEdge'), isRequired: true, onChange: 'replace' },
  enabled: { ...booleanField, wire: 'enabled', defaultValue: true, onChange: 'update' },
  value: { ...policyDocumentField, wire: 'value', isRequired: true, onChange: 'update' },
  overwriteExisting: settingField,
};

/** The state of a live module: the only mapping from the service's answer. */
export const tcpEdgeTrafficPolicyModuleState = (
  edgeId: string,
  live: TcpEdgeTrafficPolicyModuleWire,
  prior: object = {},
): TcpEdgeTrafficPolicyModuleState =>
  keepEqualText(tcpEdgeTrafficPolicyModuleFields, prior, {
    edgeId,
    enabled: live.enabled,
    value: policyLines(live.value),
  });

/** The requests about the module of one edge. */
export const tcpEdgeTrafficPolicyModuleEndpoint = (
  client: ApiClient,
  edgeId: string,
): ModuleEndpoint<TcpEdgeTrafficPolicyModuleWire> => ({
  get: (deadline) => client.getTcpEdgeTrafficPolicyModule(edgeId, deadline),
  replace: (body, deadline) => client.replaceTcpEdgeTrafficPolicyModule(edgeId, body, deadline),
  delete: (deadline, isLeaving) => client.deleteTcpEdgeTrafficPolicyModule(edgeId, deadline, isLeaving),
});

/** What the module does at each step of its life. */
export const tcpEdgeTrafficPolicyModuleLifecycle = (
  tools: () => Tools,
): Lifecycle<TcpEdgeTrafficPolicyModuleInputs, TcpEdgeTrafficPolicyModuleState> =>
  moduleLifecycle(
    {
      fields: tcpEdgeTrafficPolicyModuleFields,
      nameOf: (edgeId) => `traffic policy module of TCP edge ${edgeId}`,
      idOf: ({ edgeId }) => edgeId,
      endpoint: tcpEdgeTrafficPolicyModuleEndpoint,
      stateOf: tcpEdgeTrafficPolicyModuleState,
      bodyOf: ({ enabled, value }) => ({ enabled, value: policyJson(value) }),
      isEmpty: ({ value }) => isEmptyPolicyDocument(value),
      summaryOf: ({ enabled, value }) =>
        `${enabled ? 'enabled' : 'disabled'}, a policy of ${Buffer.byteLength(value)} bytes`,
      importCommand: (edgeId) => `npx edge-policy import --tcp-edge ${edgeId} --run`,
    },
    tools,
  );

/** The arguments of a {@link TcpEdgeTrafficPolicyModule}. */
export interface TcpEdgeTrafficPolicyModuleArgs {
  /** The id of the TCP edge, `edgtcp_…`. Required. A change replaces the module. */
  readonly edgeId: pulumi.Input<string>;
  /** Whether the module is applied to traffic. Default `true`. A change updates the module. */
  readonly enabled?: pulumi.Input<boolean | undefined>;
  /**
   * The traffic policy: a JSON text, or the document itself. Its phases (`inbound`) hold rules, each with a name,
   * expressions and at least one action. Required. A change of meaning updates the module; the order of keys and
   * spacing do not count.
   */
  readonly value: pulumi.Input<string> | pulumi.Input<TrafficPolicy>;
  /**
   * Whether a create may replace a policy that the edge already carries. Default `false`: the create then fails and
   * says what is there. Not sent to the service; a change updates nothing.
   */
  readonly overwriteExisting?: pulumi.Input<boolean | undefined>;
}

/** The traffic policy module of a TCP edge: a policy that is applied to the endpoint's traffic, and a switch. */
export class TcpEdgeTrafficPolicyModule extends pulumi.CustomResource {
  /** The id of the TCP edge. */
  declare readonly edgeId: pulumi.Output<string>;
  /** Whether the module is applied to traffic. */
  declare readonly enabled: pulumi.Output<boolean>;
  /** The traffic policy as a JSON text. State and previews hold it in lines. */
  declare readonly value: pulumi.Output<string>;

  /**
   * Reads the module of an edge that is managed elsewhere.
   *
   * @param id The id of the TCP edge, `edgtcp_…`.
   * @throws at deployment where the edge carries no such module.
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): TcpEdgeTrafficPolicyModule {
    return new TcpEdgeTrafficPolicyModule(name, undefined, lookUpOptions(id, opts));
  }

  /**
   * Declares the module.
   *
   * @param args Required, but for {@link TcpEdgeTrafficPolicyModule.get}.
   */
  constructor(
    name: string,
    args: TcpEdgeTrafficPolicyModuleArgs | undefined,
    opts?: pulumi.CustomResourceOptions,
  ) {
    const sent = args && { ...args, value: pulumi.output<string | TrafficPolicy>(args.value).apply(asText) };
    const properties = resourceProperties(
      'TcpEdgeTrafficPolicyModule',
      withDefaults(tcpEdgeTrafficPolicyModuleFields, sent),
      ['edgeId', 'enabled', 'value'],
    );
    super(
      typeToken('TcpEdgeTrafficPolicyModule'),
      name,
      properties,
      resourceOptions('TcpEdgeTrafficPolicyModule', opts),
    );
  }
}

const asText = (value: pulumi.Unwrap<string | TrafficPolicy>): string =>
  typeof value === 'string' ? value : serialisePolicyDocument(value);

const values = new WeakMap<object, pulumi.Output<string>>();

// The engine's `value` is laid out in lines, for previews. The SDK assigns it, and programs read the JSON of it.
Object.defineProperty(TcpEdgeTrafficPolicyModule.prototype, 'value', {
  get(this: TcpEdgeTrafficPolicyModule) {
    return values.get(this);
  },
  set(this: TcpEdgeTrafficPolicyModule, lines: pulumi.Output<string | undefined>) {
    values.set(
      this,
      lines.apply((text) => (text === undefined ? text : policyJson(text))) as pulumi.Output<string>,
    );
  },
});
