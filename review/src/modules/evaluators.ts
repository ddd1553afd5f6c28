import type { BySubject } from '../model/by-subject';
import type { ModuleDeclaration, Snapshot } from '../model/declarations';
import { MODULE_TYPES, type ModuleType } from '../preview/resource-type';
import type { Gate, ModuleEvaluator } from './evaluator';
import { userAgentFilter } from './https-edge-route-user-agent-filter-module';
import { trafficPolicy } from './tcp-edge-traffic-policy-module';

/** Every kind of module. A new one adds a line. Its evaluator may be `undecidedModule(type)` at first. */
export const EVALUATORS: Readonly<Record<ModuleType, ModuleEvaluator>> = {
  TcpEdgeTrafficPolicyModule: trafficPolicy,
  HttpsEdgeRouteUserAgentFilterModule: userAgentFilter,
};

/** The types of the modules that protect an edge, or a route. */
export const typesAt = (gate: Gate): ModuleType[] =>
  MODULE_TYPES.filter((type) => EVALUATORS[type].gates === gate);

/** The modules of one side that protect edges, or routes. */
export const modulesAt = ({ modules }: Snapshot, gate: Gate): BySubject<ModuleDeclaration>[] =>
  typesAt(gate).map((type) => modules[type]);
