import type { Endpoint } from './endpoint';
import { IP_POLICY_RULE_ENDPOINTS } from './routes/ip-policy-rules';
import { moduleEndpoints } from './routes/module-endpoints';
import { moduleNames } from './routes/modules';

/** The operations of the document. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...IP_POLICY_RULE_ENDPOINTS,
  ...moduleNames.flatMap(moduleEndpoints),
];

/** A pattern for a path in which every `{name}` matches one segment. */
export const pathPattern = (path: string): RegExp => new RegExp(`^${path.replace(/\{\w+\}/g, '([^/]+)')}$`);

const patterns = ENDPOINTS.map(({ method, path }) => ({ method, pattern: pathPattern(path) }));

/** The methods that the document defines for a path. */
export const methodsAt = (path: string): string[] =>
  patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
