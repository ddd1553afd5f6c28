import { HTTPS_EDGE_ROUTE_USER_AGENT_FILTER_MODULE } from './https-edge-route-user-agent-filter-module';
import type { ModuleKind } from './fields';
import { TCP_EDGE_TRAFFIC_POLICY_MODULE } from './tcp-edge-traffic-policy-module';

/** Every kind of module, by the name that seed and state use. A new kind adds a line. */
const MODULES = {
  tcpModules: TCP_EDGE_TRAFFIC_POLICY_MODULE,
  httpsModules: HTTPS_EDGE_ROUTE_USER_AGENT_FILTER_MODULE,
};

export type ModuleName = keyof typeof MODULES;

export const moduleNames = Object.keys(MODULES) as ModuleName[];

export const moduleKind = (name: ModuleName): ModuleKind => MODULES[name] as unknown as ModuleKind;

export type ModuleContents = {
  readonly [Name in ModuleName]: (typeof MODULES)[Name] extends ModuleKind<infer Module> ? Module : never;
};

/** Modules by the identifiers of their parents; a route's is `edgeId/routeId`. */
export type Modules = {
  readonly [Name in ModuleName]: Readonly<Record<string, ModuleContents[Name]>>;
};
