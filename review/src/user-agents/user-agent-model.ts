// What for: user agent filters as languages: which user agents get in, with examples.
// Must not know: `findings`, `report` and `traffic-policy`.
import type { HttpsEdgeRouteUserAgentFilterModuleInputs } from 'pulumi-edge-policy/internal/resources/https-edge-route-user-agent-filter-module';
import type { BySubject, ModuleDeclaration, Snapshot } from '../model/declarations';
import { hidden, type Known } from '../model/known';

export interface UserAgentVerdict {
  readonly isLetIn: boolean;
  readonly decidedBy?: { readonly list: 'allow' | 'deny'; readonly pattern: string };
}

/**
 * How allow and deny patterns work together. The API document is silent, so this is an assumption with a name:
 * - `allow-wins`: let in if any allow pattern matches or no deny pattern does; a missing header is refused unless an
 *   allow pattern matches the empty string. What the public service of this interface is known to do.
 * - `deny-wins`: refused if any deny pattern matches; else let in if the allow list is empty or matches.
 * - `allow-required`: let in only if an allow pattern matches and no deny pattern does.
 */
export const USER_AGENT_MODELS = ['allow-wins', 'deny-wins', 'allow-required'] as const;

export type UserAgentModel = (typeof USER_AGENT_MODELS)[number];

export const FILTER_TYPE = 'HttpsEdgeRouteUserAgentFilterModule';

/** The filters of one side, by their routes as `edgeId/routeId`. */
export const filtersOf = ({ modules }: Snapshot): BySubject<ModuleDeclaration> => modules[FILTER_TYPE];

export const FILTER_LISTS = [
  'allow',
  'deny',
] as const satisfies (keyof HttpsEdgeRouteUserAgentFilterModuleInputs)[];

export type FilterList = (typeof FILTER_LISTS)[number];

export const patternsIn = ({ lists }: ModuleDeclaration, list: FilterList): Known<readonly Known<string>[]> =>
  lists[list] ?? hidden('unreadable');
