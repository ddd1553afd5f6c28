import type { ModuleParent } from 'pulumi-edge-policy/internal/resources/module-kind';
import type { BySubject } from '../model/by-subject';
import type { ModuleDeclaration, Snapshot } from '../model/declarations';
import { parentOf } from '../model/read-modules';
import { MODULE_TYPES, type ModuleType } from '../preview/resource-type';
import type { ModuleEvaluator } from './evaluator';
import { userAgentFilter } from './https-edge-route-user-agent-filter-module';
import { trafficPolicy } from './tcp-edge-traffic-policy-module';

/** Every kind of module. A new one adds a line. Its evaluator may be `undecidedModule(type)` at first. */
export const EVALUATORS: Readonly<Record<ModuleType, ModuleEvaluator>> = {
  TcpEdgeTrafficPolicyModule: trafficPolicy,
  HttpsEdgeRouteUserAgentFilterModule: userAgentFilter,
};

/** The types of the modules that protect such objects. */
export const typesAt = (parent: ModuleParent): ModuleType[] =>
  MODULE_TYPES.filter((type) => parentOf(type) === parent);

/** The modules of one side that protect such objects. */
export const modulesAt = ({ modules }: Snapshot, parent: ModuleParent): BySubject<ModuleDeclaration>[] =>
  typesAt(parent).map((type) => modules[type]);
