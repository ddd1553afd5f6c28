import { RE2JS } from 're2js';
import type { Answer } from '../answer';
import type { Call, Endpoint } from '../endpoint';
import type { HttpsEdgeRouteUserAgentFilterModule } from '../store/changes';
import type { Switches } from '../switches';
import { extraFields, invalid, readBoolean, readFields, readTexts } from './fields';
import {
  missingModuleOnDelete,
  missingModuleOnGet,
  requireParentOnPut,
  type Attachment,
} from './module-attachment';

const PATH = '/edges/https/{edge_id}/routes/{id}/user_agent_filter';
const defaults: HttpsEdgeRouteUserAgentFilterModule = { enabled: true, allow: [], deny: [] };

// Section 4.3 of the document.
export const HTTPS_EDGE_ROUTE_USER_AGENT_FILTER_MODULE_ENDPOINTS: readonly Endpoint[] = [
  { method: 'PUT', path: PATH, handle: replaceModule },
  { method: 'GET', path: PATH, handle: getModule },
  { method: 'DELETE', path: PATH, handle: deleteModule },
];

function replaceModule(call: Call): Answer {
  const route = attachment(call);
  requireParentOnPut(call, route);
  const { partialPut, regexDialect } = call.service.switches;
  const fields = readFields(call, ['enabled', 'allow', 'deny']);
  const missing = ['enabled', 'allow', 'deny'].find((name) => fields[name] === undefined);
  if (missing !== undefined && partialPut === '400') throw invalid(`The field ${missing} is required.`);
  const module = {
    enabled: readBoolean(fields, 'enabled') ?? defaults.enabled,
    allow: readTexts(fields, 'allow') ?? defaults.allow,
    deny: readTexts(fields, 'deny') ?? defaults.deny,
  };
  for (const pattern of [...module.allow, ...module.deny]) requirePattern(pattern, regexDialect);
  call.account.commit({ op: 'put-https-module', route: route.id, module });
  return { status: 200, body: { ...module, ...extraFields(call.service) } };
}

function getModule(call: Call): Answer {
  const route = attachment(call);
  const module = call.account.httpsModules.get(route.id);
  if (module === undefined) return missingModuleOnGet(call, route, defaults);
  return { status: 200, body: { ...module, ...extraFields(call.service) } };
}

function deleteModule(call: Call): Answer {
  const route = attachment(call);
  if (!call.account.httpsModules.has(route.id)) return missingModuleOnDelete(call, route);
  call.account.commit({ op: 'delete-https-module', route: route.id });
  return { status: 204 };
}

function attachment(call: Call): Attachment {
  const id = `${call.parameters['edge_id'] ?? ''}/${call.parameters['id'] ?? ''}`;
  return { kind: 'route', id, name: 'user agent filter module' };
}

const compile: Record<Switches['regexDialect'], (pattern: string) => unknown> = {
  re2: (pattern) => RE2JS.compile(pattern),
  ecmascript: (pattern) => new RegExp(pattern),
};

/** Only compiles: the service says nothing of what a pattern matches. */
function requirePattern(pattern: string, dialect: Switches['regexDialect']): void {
  try {
    compile[dialect](pattern);
  } catch (error) {
    const problem = error instanceof Error ? error.message : 'invalid';
    throw invalid(`${JSON.stringify(pattern)} is not a regular expression: ${problem}.`);
  }
}
