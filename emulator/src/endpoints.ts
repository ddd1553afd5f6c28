import type { Endpoint } from './endpoint';
import { httpsEdgeRouteUserAgentFilterModuleEndpoints } from './routes/https-edge-route-user-agent-filter-module';
import { ipPolicyRuleEndpoints } from './routes/ip-policy-rules';
import { tcpEdgeTrafficPolicyModuleEndpoints } from './routes/tcp-edge-traffic-policy-module';

/** The 11 operations of the document. */
export const endpoints: readonly Endpoint[] = [
  ...ipPolicyRuleEndpoints,
  ...tcpEdgeTrafficPolicyModuleEndpoints,
  ...httpsEdgeRouteUserAgentFilterModuleEndpoints,
];

/** The text of a path in which every `{name}` stands for one segment. */
export const pathPattern = (path: string): RegExp => new RegExp(`^${path.replace(/\{\w+\}/g, '([^/]+)')}$`);

const patterns = endpoints.map(({ method, path }) => ({ method, pattern: pathPattern(path) }));

/** The methods that the document knows for a path. */
export const methodsAt = (path: string): string[] =>
  patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
