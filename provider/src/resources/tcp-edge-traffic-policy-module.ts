// Traffic policy module of a TCP edge (API document 2.4, 4.2)
//
//   create  PUT    /edges/tcp/{id}/traffic_policy   looks first: other content is never silently overwritten
//   read    GET    /edges/tcp/{id}/traffic_policy   404, null or {} = none
//   update  PUT    /edges/tcp/{id}/traffic_policy   always all fields
//   delete  DELETE /edges/tcp/{id}/traffic_policy   404 = done
import type { ApiClient } from '../api/client';
import type { TcpEdgeTrafficPolicyModuleWire } from '../api/decode';
import type { Field, FieldTable } from '../fields/field';
import { booleanField, type FieldShape, identifierField, settingField, text } from '../fields/kinds';
import { keepEqualText } from '../fields/outputs';
import type { RunContext } from '../settle/ledger';
import type { ModuleEndpoint } from '../settle/presence';
import { checkPolicyDocument, isEmptyPolicyDocument, samePolicyDocument } from '../values/policy-document';
import { policyJson, policyLines } from '../values/policy-text';
import { byteLength } from '../values/text-limits';
import { containsUnknown, UNKNOWN } from '../values/unknowns';
import type { Lifecycle } from './lifecycle';
import { moduleLifecycle } from './module-lifecycle';

const policyText = text((value) => ({
  value: policyLines(value),
  ...checkPolicyDocument(policyJson(value)),
}));

/** A traffic policy in lines, equal by what it says. A program gives it as JSON. */
export const policyDocumentField: FieldShape<string> & Pick<Field<string>, 'toWire'> = {
  type: { input: { $ref: 'pulumi.json#/Any' }, output: { type: 'string' } },
  parse: (given) => {
    // The classes send a text; other languages may pass the document itself. Nothing is known of it unless all of it is.
    if (typeof given !== 'object' || given === null) return policyText(given);
    return containsUnknown(given) ? { value: UNKNOWN } : policyText(JSON.stringify(given));
  },
  isSame: isSamePolicy,
  toWire: policyJson,
};

function isSamePolicy(left: string, right: string): boolean {
  return samePolicyDocument(policyJson(left), policyJson(right));
}

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

/** What a live module holds, in words that show nothing of it. */
export const summaryOfTrafficPolicy = ({ enabled, value }: TcpEdgeTrafficPolicyModuleWire): string =>
  `${enabled ? 'enabled' : 'disabled'}, a policy of ${byteLength(value)} bytes`;

/** What the module does at each step of its life. */
export const tcpEdgeTrafficPolicyModuleLifecycle = (
  getContext: () => RunContext,
): Lifecycle<TcpEdgeTrafficPolicyModuleInputs, TcpEdgeTrafficPolicyModuleState> =>
  moduleLifecycle(
    {
      fields: tcpEdgeTrafficPolicyModuleFields,
      nameOf: (edgeId) => `traffic policy module of TCP edge ${edgeId}`,
      idOf: ({ edgeId }) => edgeId,
      endpoint: tcpEdgeTrafficPolicyModuleEndpoint,
      stateOf: tcpEdgeTrafficPolicyModuleState,
      isEmpty: ({ value }) => isEmptyPolicyDocument(value),
      summaryOf: summaryOfTrafficPolicy,
      importType: 'tcpEdge',
    },
    getContext,
  );
