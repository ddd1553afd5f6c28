// Its patterns are read and compared in user-agents/.
import { userAgentEffectFindings } from '../findings/user-agents';
import { userAgentStateFindings } from '../findings/user-agent-filters';
import { whereOfModule } from '../findings/finding';
import { FILTER_TYPE } from '../user-agents/user-agent-model';
import { routeAccess, unplacedRoutes } from '../user-agents/route-access';
import type { ModuleEvaluator } from './evaluator';

export const userAgentFilter: ModuleEvaluator = {
  evaluate(stack, { assumptions, corpus }) {
    const context = { model: assumptions.userAgentModel, corpus };
    const routes = [...routeAccess(stack, context), ...unplacedRoutes(stack, context)];
    return {
      accesses: routes,
      changeFindings: () =>
        routes.flatMap((route) =>
          userAgentEffectFindings(route, context, whereOfModule(stack, FILTER_TYPE, route.subject)),
        ),
    };
  },
  stateFindings: userAgentStateFindings,
};
