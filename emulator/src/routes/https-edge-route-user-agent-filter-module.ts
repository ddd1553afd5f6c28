import { RE2JS } from 're2js';
import type { Switches } from '../switches';
import { invalid, readTexts, enabledField, type ModuleField, type ModuleKind } from './fields';

export interface HttpsEdgeRouteUserAgentFilterModule {
  readonly enabled: boolean;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

const patternsField: ModuleField<readonly string[]> = {
  empty: [],
  read(fields, name, { regexDialect }) {
    const patterns = readTexts(fields, name);
    for (const each of patterns ?? []) requirePattern(each, regexDialect);
    return patterns;
  },
};

/** Sections 2.5 and 4.3 of the document. */
export const HTTPS_EDGE_ROUTE_USER_AGENT_FILTER_MODULE: ModuleKind<HttpsEdgeRouteUserAgentFilterModule> = {
  name: 'user agent filter module',
  path: '/edges/https/{edge_id}/routes/{id}/user_agent_filter',
  parent: 'routes',
  fields: { enabled: enabledField, allow: patternsField, deny: patternsField },
};

const compile: Record<Switches['regexDialect'], (pattern: string) => unknown> = {
  re2: (pattern) => RE2JS.compile(pattern),
  ecmascript: (pattern) => new RegExp(pattern),
};

/** Only compiles the pattern, as the service does not say what it matches. */
function requirePattern(pattern: string, dialect: Switches['regexDialect']): void {
  try {
    compile[dialect](pattern);
  } catch (error) {
    const problem = error instanceof Error ? error.message : 'invalid';
    throw invalid(`${JSON.stringify(pattern)} is not a regular expression: ${problem}.`);
  }
}
