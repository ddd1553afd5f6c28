import type { HttpsEdgeRouteUserAgentFilterModuleInputs } from 'pulumi-edge-policy/internal/resources/https-edge-route-user-agent-filter-module';
import type { BySubject } from '../model/by-subject';
import type { ModuleDeclaration, Snapshot } from '../model/declarations';
import type { Known } from '../model/known';
import { listIn } from '../model/read-modules';

/** The modules that decide about user agents. */
export const FILTER_TYPE = 'HttpsEdgeRouteUserAgentFilterModule';

/** The filters of one side, by their routes as `edgeId/routeId`. */
export const filtersOf = ({ modules }: Snapshot): BySubject<ModuleDeclaration> => modules[FILTER_TYPE];

/** The lists of a filter. */
export const FILTER_LISTS = [
  'allow',
  'deny',
] as const satisfies (keyof HttpsEdgeRouteUserAgentFilterModuleInputs)[];

/** One of {@link FILTER_LISTS}. */
export type FilterList = (typeof FILTER_LISTS)[number];

/** The patterns of a list. */
export const patternsIn = (filter: ModuleDeclaration, list: FilterList): Known<readonly Known<string>[]> =>
  listIn(filter, list);
