import type { ModuleKind, Typed } from './module-kind';
import type * as trafficPolicyModule from './tcp-edge-traffic-policy-module';
import type * as filterModule from './https-edge-route-user-agent-filter-module';

/** Every kind of module by its type, loaded on first use. A new kind adds a line. */
const kinds = {
  TcpEdgeTrafficPolicyModule: () =>
    (require('./tcp-edge-traffic-policy-module') as typeof trafficPolicyModule).tcpEdgeTrafficPolicyModule,
  HttpsEdgeRouteUserAgentFilterModule: () =>
    (require('./https-edge-route-user-agent-filter-module') as typeof filterModule)
      .httpsEdgeRouteUserAgentFilterModule,
};

export type ModuleType = keyof typeof kinds;

export const MODULE_TYPES = Object.keys(kinds) as unknown as readonly [
  ModuleType,
  ModuleType,
  ...ModuleType[],
];

export const moduleKind = (type: ModuleType): Typed<ModuleKind, ModuleType> => ({ type, ...kinds[type]() });

export const allModuleKinds = (): readonly Typed<ModuleKind, ModuleType>[] => MODULE_TYPES.map(moduleKind);
