import type { Endpoint } from './endpoint';
import { IP_POLICY_RULE_ENDPOINTS } from './routes/ip-policy-rules';
import { moduleEndpoints } from './routes/module-endpoints';
import { moduleNames } from './routes/modules';

const ENDPOINTS: readonly Endpoint[] = [...IP_POLICY_RULE_ENDPOINTS, ...moduleNames.flatMap(moduleEndpoints)];

const patterns = ENDPOINTS.map((endpoint) => ({
  endpoint,
  // Every `{name}` matches one segment.
  pattern: new RegExp(`^${endpoint.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}));

/** The operations that the document has for a path. */
export const endpointsAt = (path: string): Endpoint[] =>
  patterns.filter(({ pattern }) => pattern.test(path)).map(({ endpoint }) => endpoint);

/** The operation of a request, with the parameters in its path. */
export function endpointFor(
  method: string,
  path: string,
): { endpoint: Endpoint; parameters: Readonly<Record<string, string>> } | undefined {
  const match = patterns.find(({ endpoint, pattern }) => endpoint.method === method && pattern.test(path));
  if (match === undefined) return undefined;
  const parameters = Object.entries(match.pattern.exec(path)?.groups ?? {});
  return {
    endpoint: match.endpoint,
    parameters: Object.fromEntries(parameters.map(([name, text]) => [name, decodeURIComponent(text)])),
  };
}
