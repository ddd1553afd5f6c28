// User agent filter module of an HTTPS edge route (API document 2.5, 4.3)
//
//   create  PUT    /edges/https/{edge_id}/routes/{id}/user_agent_filter   looks first: other content is never silently overwritten
//   read    GET    /edges/https/{edge_id}/routes/{id}/user_agent_filter   404, null or {} = none
//   update  PUT    /edges/https/{edge_id}/routes/{id}/user_agent_filter   always all three fields
//   delete  DELETE /edges/https/{edge_id}/routes/{id}/user_agent_filter   404 = done
import type { FieldTable } from '../fields/field';
import { booleanField, identifierField, patternListField, settingField } from '../fields/kinds';
import type { ModuleKind } from './module-kind';

/** The inputs of the module with all values known; state holds the same. */
export interface HttpsEdgeRouteUserAgentFilterModuleInputs {
  readonly edgeId: string;
  readonly routeId: string;
  readonly enabled: boolean;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly overwriteExisting?: boolean;
}

export const httpsEdgeRouteUserAgentFilterModuleFields: FieldTable<HttpsEdgeRouteUserAgentFilterModuleInputs> =
  {
    edgeId: { ...identifierField('httpsEdge'), isRequired: true, onChange: 'replace' },
    routeId: { ...identifierField('httpsEdgeRoute'), isRequired: true, onChange: 'replace' },
    enabled: { ...booleanField, wire: 'enabled', defaultValue: true, onChange: 'update' },
    allow: { ...patternListField, wire: 'allow', defaultValue: [], onChange: 'update' },
    deny: { ...patternListField, wire: 'deny', defaultValue: [], onChange: 'update' },
    overwriteExisting: settingField,
  };

export const httpsEdgeRouteUserAgentFilterModule: ModuleKind<HttpsEdgeRouteUserAgentFilterModuleInputs> = {
  path: '/edges/https/{edgeId}/routes/{routeId}/user_agent_filter',
  fields: httpsEdgeRouteUserAgentFilterModuleFields,
  parent: 'route',
  name: 'user agent filter module',
  importOption: '--route',
  isEmpty: ({ allow, deny }) => allow.length + deny.length === 0,
  contentOf: ({ allow, deny }) => `${allow.length} allow and ${deny.length} deny patterns`,
};
