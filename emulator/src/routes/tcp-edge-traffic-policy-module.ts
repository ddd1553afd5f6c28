import { invalid, requireText, enabledField, type ModuleKind } from './fields';

export interface TcpEdgeTrafficPolicyModule {
  readonly enabled: boolean;
  readonly value: string;
}

/** Sections 2.4 and 4.2 of the document. */
export const TCP_EDGE_TRAFFIC_POLICY_MODULE: ModuleKind<TcpEdgeTrafficPolicyModule> = {
  name: 'traffic policy module',
  path: '/edges/tcp/{id}/traffic_policy',
  parent: 'tcpEdges',
  fields: {
    enabled: enabledField,
    value: {
      empty: '',
      isRequired: true,
      read: (fields, name) => readPolicy(requireText(fields, name)),
      show: (value, { policyValue }) => (policyValue === 'verbatim' ? value : reserialise(value)),
    },
  },
};

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

/** The JSON with sorted keys, and with a space after each colon and comma: never the text that a compact client sent. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}: ${spaced(item)}`).join(', ')}}`;
}
