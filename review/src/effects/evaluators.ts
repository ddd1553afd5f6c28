import { type PreviewGap, unknownTypes } from '../preview/preview-gaps';
import type { PreviewStep } from '../preview/preview-step';
import { isModuleType, type ModuleType, resourceTypeOf } from '../preview/resource-type';
import type { ModuleEvaluator } from './evaluator';
import { userAgentFilter } from './https-edge-route-user-agent-filter-module';
import { trafficPolicy } from './tcp-edge-traffic-policy-module';

/** Every kind of module. A new one adds a line, at first `undefined`: then no review of such a module is decidable. */
export const EVALUATORS: Readonly<Record<ModuleType, ModuleEvaluator | undefined>> = {
  TcpEdgeTrafficPolicyModule: trafficPolicy,
  HttpsEdgeRouteUserAgentFilterModule: userAgentFilter,
};

export const fromEvaluators = <T>(
  types: readonly ModuleType[],
  ask: (evaluator: ModuleEvaluator) => readonly T[],
): T[] =>
  types.flatMap((type) => {
    const evaluator = EVALUATORS[type];
    return evaluator ? ask(evaluator) : [];
  });

export function unjudgedGaps(steps: readonly PreviewStep[], evaluators = EVALUATORS): PreviewGap[] {
  const types = steps.map(({ type }) => resourceTypeOf(type)).filter((type) => type !== undefined);
  return unknownTypes(types.filter((type) => isModuleType(type) && !evaluators[type]));
}
