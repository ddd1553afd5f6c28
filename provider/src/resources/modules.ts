/* eslint-disable @typescript-eslint/no-require-imports -- an import would load every kind for one */
import type * as filterModule from './https-edge-route-user-agent-filter-module';
import type { ModuleKind } from './module-kind';
import { MODULE_TYPES, type ModuleType } from './provider-reference';
import type * as trafficPolicyModule from './tcp-edge-traffic-policy-module';

/** Every kind of module, loaded on first use. A new kind adds a line. */
const kinds: Readonly<Record<ModuleType, () => ModuleKind>> = {
  TcpEdgeTrafficPolicyModule: () =>
    (require('./tcp-edge-traffic-policy-module') as typeof trafficPolicyModule).tcpEdgeTrafficPolicyModule,
  HttpsEdgeRouteUserAgentFilterModule: () =>
    (require('./https-edge-route-user-agent-filter-module') as typeof filterModule)
      .httpsEdgeRouteUserAgentFilterModule,
};

/** The kind of this type. */
export const moduleKind = (type: ModuleType): ModuleKind => kinds[type]();

/** All kinds, in the order of the registry. */
export const moduleKinds = (): readonly ModuleKind[] => MODULE_TYPES.map(moduleKind);
