import type { Endpoint } from './endpoint';
import { IP_POLICY_RULE_ENDPOINTS } from './routes/ip-policy-rules';
import { moduleEndpoints } from './routes/module-endpoints';
import { moduleNames } from './routes/modules';

/** The operations of the document. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...IP_POLICY_RULE_ENDPOINTS,
  ...moduleNames.flatMap(moduleEndpoints),
];

const patterns = ENDPOINTS.map((endpoint) => ({
  endpoint,
  // Every `{name}` matches one segment.
  pattern: new RegExp(`^${endpoint.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}));

/** The operations that the document has for a path, with the parameters in it. */
export const endpointsAt = (
  path: string,
): { endpoint: Endpoint; parameters: Readonly<Record<string, string>> }[] =>
  patterns.flatMap(({ endpoint, pattern }) => {
    const match = pattern.exec(path);
    return match === null ? [] : [{ endpoint, parameters: match.groups ?? {} }];
  });
