// User agent filter module of an HTTPS edge route (API document 2.5, 4.3)
//
//   create  PUT    /edges/https/{edge_id}/routes/{id}/user_agent_filter   looks first: other content is never silently overwritten
//   read    GET    /edges/https/{edge_id}/routes/{id}/user_agent_filter   404, null or {} = none
//   update  PUT    /edges/https/{edge_id}/routes/{id}/user_agent_filter   always all three fields
//   delete  DELETE /edges/https/{edge_id}/routes/{id}/user_agent_filter   404 = done
import type { ApiClient } from '../api/client';
import type { HttpsEdgeRouteUserAgentFilterModuleWire } from '../api/decode';
import type { FieldTable } from '../fields/field';
import { booleanField, identifierField, settingField } from '../fields/kinds';
import { patternListField } from '../fields/pattern-list';
import type { Lifecycle } from './lifecycle';
import { keepEqualText } from '../fields/outputs';
import { UserError } from '../errors/user-error';
import type { ModuleEndpoint } from '../settle/presence';
import type { RunContext } from '../settle/ledger';
import { moduleLifecycle } from './module-lifecycle';

/** The inputs of the module with all values known. */
export interface HttpsEdgeRouteUserAgentFilterModuleInputs {
  readonly edgeId: string;
  readonly routeId: string;
  readonly enabled: boolean;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly overwriteExisting?: boolean;
}

/** What state holds of the module. */
export type HttpsEdgeRouteUserAgentFilterModuleState = HttpsEdgeRouteUserAgentFilterModuleInputs;

/** Every field of the module, said once. */
export const httpsEdgeRouteUserAgentFilterModuleFields: FieldTable<HttpsEdgeRouteUserAgentFilterModuleInputs> =
  {
    edgeId: { ...identifierField('httpsEdge'), isRequired: true, onChange: 'replace' },
    routeId: { ...identifierField('httpsEdgeRoute'), isRequired: true, onChange: 'replace' },
    enabled: { ...booleanField, wire: 'enabled', defaultValue: true, onChange: 'update' },
    allow: { ...patternListField, wire: 'allow', defaultValue: [], onChange: 'update' },
    deny: { ...patternListField, wire: 'deny', defaultValue: [], onChange: 'update' },
    overwriteExisting: settingField,
  };

/** The state of a live module: the only mapping from the service's answer. */
export function httpsEdgeRouteUserAgentFilterModuleState(
  id: string,
  live: HttpsEdgeRouteUserAgentFilterModuleWire,
  prior: object = {},
): HttpsEdgeRouteUserAgentFilterModuleState {
  const { enabled, allow, deny } = live;
  return keepEqualText(httpsEdgeRouteUserAgentFilterModuleFields, prior, {
    ...routeOf(id),
    enabled,
    allow,
    deny,
  });
}

/** The ids of edge and route that make up the module's id, `edgeId/routeId`. */
function routeOf(id: string): { edgeId: string; routeId: string } {
  const [edgeId, routeId, ...rest] = id.split('/');
  if (!edgeId || !routeId || rest.length > 0) {
    throw new UserError(
      `The id of a user agent filter module is the edge's and the route's: edghts_…/edghtsrt_…, not ${JSON.stringify(id.slice(0, 100))}`,
    );
  }
  return { edgeId, routeId };
}

/** The requests about the module of one route. */
export const httpsEdgeRouteUserAgentFilterModuleEndpoint = (
  client: ApiClient,
  id: string,
): ModuleEndpoint<HttpsEdgeRouteUserAgentFilterModuleWire> => ({
  get: (deadline) => client.getHttpsEdgeRouteUserAgentFilterModule(routeOf(id), deadline),
  replace: (body, deadline) => client.replaceHttpsEdgeRouteUserAgentFilterModule(routeOf(id), body, deadline),
  delete: (deadline, isLeaving) =>
    client.deleteHttpsEdgeRouteUserAgentFilterModule(routeOf(id), deadline, isLeaving),
});

/** What a live module holds, in counts. */
export const summaryOfUserAgentFilter = ({
  enabled,
  allow,
  deny,
}: HttpsEdgeRouteUserAgentFilterModuleWire): string =>
  `${enabled ? 'enabled' : 'disabled'}, ${allow.length} allow and ${deny.length} deny patterns`;

/** What the module does at each step of its life. */
export const httpsEdgeRouteUserAgentFilterModuleLifecycle = (
  getContext: () => RunContext,
): Lifecycle<HttpsEdgeRouteUserAgentFilterModuleInputs, HttpsEdgeRouteUserAgentFilterModuleState> =>
  moduleLifecycle(
    {
      fields: httpsEdgeRouteUserAgentFilterModuleFields,
      nameOf: (id) => `user agent filter module of HTTPS edge route ${id}`,
      idOf: ({ edgeId, routeId }) => (edgeId && routeId ? `${edgeId}/${routeId}` : undefined),
      endpoint: httpsEdgeRouteUserAgentFilterModuleEndpoint,
      stateOf: httpsEdgeRouteUserAgentFilterModuleState,
      isEmpty: ({ allow, deny }) => allow.length + deny.length === 0,
      summaryOf: summaryOfUserAgentFilter,
      importType: 'route',
    },
    getContext,
  );
