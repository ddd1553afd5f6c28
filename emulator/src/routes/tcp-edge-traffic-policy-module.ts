import type { Answer } from '../answer';
import type { Call, Endpoint } from '../endpoint';
import type { TcpEdgeTrafficPolicyModule } from '../store/changes';
import { extraFields, invalid, readBoolean, readFields, requireText } from './fields';
import {
  missingModuleOnDelete,
  missingModuleOnGet,
  requireParentOnPut,
  type Attachment,
} from './module-attachment';

const PATH = '/edges/tcp/{id}/traffic_policy';

// Section 4.2 of the document.
export const TCP_EDGE_TRAFFIC_POLICY_MODULE_ENDPOINTS: readonly Endpoint[] = [
  { method: 'PUT', path: PATH, handle: replaceModule },
  { method: 'GET', path: PATH, handle: getModule },
  { method: 'DELETE', path: PATH, handle: deleteModule },
];

function replaceModule(call: Call): Answer {
  const edge = attachment(call);
  requireParentOnPut(call, edge);
  const fields = readFields(call, ['enabled', 'value']);
  const enabled = readBoolean(fields, 'enabled');
  if (enabled === undefined && call.service.switches.partialPut === '400') {
    throw invalid('The field enabled is required.');
  }
  const module = { enabled: enabled ?? true, value: readPolicy(requireText(fields, 'value')) };
  call.account.commit({ op: 'put-tcp-module', edgeId: edge.id, module });
  return { status: 200, body: toWire(call, module) };
}

function getModule(call: Call): Answer {
  const edge = attachment(call);
  const module = call.account.tcpModules.get(edge.id);
  if (module === undefined) return missingModuleOnGet(call, edge, { enabled: true, value: '' });
  return { status: 200, body: toWire(call, module) };
}

function deleteModule(call: Call): Answer {
  const edge = attachment(call);
  if (!call.account.tcpModules.has(edge.id)) return missingModuleOnDelete(call, edge);
  call.account.commit({ op: 'delete-tcp-module', edgeId: edge.id });
  return { status: 204 };
}

function attachment(call: Call): Attachment {
  return { kind: 'tcpEdge', id: call.parameters['id'] ?? '', name: 'traffic policy module' };
}

function toWire(call: Call, module: TcpEdgeTrafficPolicyModule): object {
  const isVerbatim = call.service.switches.policyValue === 'verbatim';
  return {
    enabled: module.enabled,
    value: isVerbatim ? module.value : reserialise(module.value),
    ...extraFields(call.service),
  };
}

/** Section 2.4: the value is a serialised JSON document, an object. */
function readPolicy(text: string): string {
  const policy = parse(text);
  if (typeof policy === 'object' && policy !== null && !Array.isArray(policy)) return text;
  throw invalid('The field value must carry a JSON object.');
}

function reserialise(text: string): string {
  const policy = parse(text);
  return policy === undefined ? text : spaced(policy);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The JSON with sorted keys and a space after each colon and comma: never what a compact client sent. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}: ${spaced(item)}`).join(', ')}}`;
}
