import type { Endpoint } from './endpoint';
import { HTTPS_EDGE_ROUTE_USER_AGENT_FILTER_MODULE_ENDPOINTS } from './routes/https-edge-route-user-agent-filter-module';
import { IP_POLICY_RULE_ENDPOINTS } from './routes/ip-policy-rules';
import { TCP_EDGE_TRAFFIC_POLICY_MODULE_ENDPOINTS } from './routes/tcp-edge-traffic-policy-module';

/** The 11 operations of the document. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...IP_POLICY_RULE_ENDPOINTS,
  ...TCP_EDGE_TRAFFIC_POLICY_MODULE_ENDPOINTS,
  ...HTTPS_EDGE_ROUTE_USER_AGENT_FILTER_MODULE_ENDPOINTS,
];

/** The text of a path in which every `{name}` stands for one segment. */
export const pathPattern = (path: string): RegExp => new RegExp(`^${path.replace(/\{\w+\}/g, '([^/]+)')}$`);

const patterns = ENDPOINTS.map(({ method, path }) => ({ method, pattern: pathPattern(path) }));

/** The methods that the document knows for a path. */
export const methodsAt = (path: string): string[] =>
  patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
