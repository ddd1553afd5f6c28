// Traffic policy module of a TCP edge (API document 2.4, 4.2)
//
//   create  PUT    /edges/tcp/{id}/traffic_policy   looks first: other content is never silently overwritten
//   read    GET    /edges/tcp/{id}/traffic_policy   404, null or {} = none
//   update  PUT    /edges/tcp/{id}/traffic_policy   always all fields
//   delete  DELETE /edges/tcp/{id}/traffic_policy   404 = done
import type { Field, FieldTable } from '../fields/field';
import { booleanField, type FieldShape, identifierField, settingField, text } from '../fields/kinds';
import {
  checkPolicyDocument,
  isEmptyPolicyDocument,
  policyInFull,
  policyJson,
  policyLines,
  policyValue,
  samePolicyDocument,
} from '../values/policy-document';
import { byteLength } from '../values/text-limits';
import { containsUnknown, UNKNOWN } from '../values/unknowns';
import type { ModuleKind } from './module-kind';

const policyText = text((value) => ({
  value: policyInFull(value),
  ...checkPolicyDocument(policyJson(value)),
}));

/** A traffic policy in lines; two are equal if they say the same. A program gives it as JSON. */
const policyDocumentField: FieldShape<string> & Pick<Field<string>, 'toWire' | 'fromWire' | 'inLines'> = {
  type: { input: { $ref: 'pulumi.json#/Any' }, output: { type: 'string' } },
  parse: (given) => {
    // The classes send a text. Other languages may pass the document itself, which is unknown as a whole if a part of it is.
    if (typeof given !== 'object' || given === null) return policyText(given);
    return containsUnknown(given) ? { value: UNKNOWN } : policyText(JSON.stringify(given));
  },
  isSame: (left, right) => samePolicyDocument(policyJson(left), policyJson(right)),
  toWire: policyJson,
  fromWire: policyInFull,
  inLines: policyLines,
};

/** The inputs of the module with all values known; state holds the same. */
export interface TcpEdgeTrafficPolicyModuleInputs {
  readonly edgeId: string;
  readonly enabled: boolean;
  /** The policy: in state in lines (`policyLines`), on the service as JSON. */
  readonly value: string;
  readonly overwriteExisting?: boolean;
}

/** Every field of the module, said once. */
export const tcpEdgeTrafficPolicyModuleFields: FieldTable<TcpEdgeTrafficPolicyModuleInputs> = {
  edgeId: { ...identifierField('tcpEdge'), isRequired: true, onChange: 'replace' },
  enabled: { ...booleanField, wire: 'enabled', defaultValue: true, onChange: 'update' },
  value: { ...policyDocumentField, wire: 'value', isRequired: true, onChange: 'update' },
  overwriteExisting: settingField,
};

export const tcpEdgeTrafficPolicyModule: ModuleKind<TcpEdgeTrafficPolicyModuleInputs> = {
  path: '/edges/tcp/{edgeId}/traffic_policy',
  fields: tcpEdgeTrafficPolicyModuleFields,
  parent: 'tcp-edge',
  name: 'traffic policy module',
  importOption: '--tcp-edge',
  isEmpty: ({ value }) => isEmptyPolicyDocument(value),
  contentOf: ({ value }) => `a policy of ${byteLength(value)} bytes`,
  inProgram: ({ value }) => ({ value: policyValue(policyJson(value)) }),
};
