import type { LiveObjects } from '../../adopt/adoption';
import type { RuleFilter } from '../../adopt/rule-filter';
import type { ApiClient } from '../../api/client';
import { UserError } from '../../errors/user-error';
import { httpsEdgeRouteUserAgentFilterModuleEndpoint } from '../../resources/https-edge-route-user-agent-filter-module';
import { tcpEdgeTrafficPolicyModuleEndpoint } from '../../resources/tcp-edge-traffic-policy-module';
import { findModule, type ModuleEndpoint } from '../../settle/presence';
import { readRules } from '../service';

/** What is to be read of the service. */
export interface Wanted {
  /** Absent where no rules are asked for. */
  readonly rules?: RuleFilter;
  readonly tcpEdges: readonly string[];
  readonly routes: readonly string[];
}

/**
 * Reads what is wanted.
 *
 * @throws UserError where a policy shows no rule, or an edge or route carries no module.
 */
export async function readLive(client: ApiClient, wanted: Wanted): Promise<LiveObjects> {
  const rules = wanted.rules === undefined ? [] : await readRules(client, wanted.rules);
  const trafficPolicies = await readModules(client, wanted.tcpEdges, tcpEdgeTrafficPolicyModuleEndpoint);
  const userAgentFilters = await readModules(
    client,
    wanted.routes,
    httpsEdgeRouteUserAgentFilterModuleEndpoint,
  );
  const policies = new Set(rules.map(({ ipPolicyId }) => ipPolicyId));
  const missing = [
    ...(wanted.rules?.policyIds ?? []).filter((id) => !policies.has(id)).map(noRuleOf),
    ...absent(wanted.tcpEdges, trafficPolicies).map((id) => `TCP edge ${id} has no traffic policy module`),
    ...absent(wanted.routes, userAgentFilters).map(
      (id) => `HTTPS edge route ${id} has no user agent filter module`,
    ),
  ];
  if (missing.length > 0)
    throw new UserError(`${missing.join('\n')}\nCheck the ids; nothing was written or imported.`);
  return { rules, trafficPolicies, userAgentFilters };
}

const noRuleOf = (policyId: string): string =>
  `the list shows no rule of IP policy ${policyId} to adopt (a policy without rules does not appear in it)`;

async function readModules<Wire>(
  client: ApiClient,
  ids: readonly string[],
  endpointOf: (client: ApiClient, id: string) => ModuleEndpoint<Wire>,
): Promise<Map<string, Wire>> {
  const found = new Map<string, Wire>();
  for (const id of new Set(ids)) {
    const live = await findModule(client, endpointOf(client, id), client.startOperation());
    if (live !== undefined) found.set(id, live);
  }
  return found;
}

const absent = (ids: readonly string[], found: ReadonlyMap<string, unknown>): string[] =>
  ids.filter((id) => !found.has(id));

/** What differs between two readings, one line each, without texts that could be secret. */
export function differences(before: LiveObjects, now: LiveObjects): string[] {
  const [old, current] = [byId(before), byId(now)];
  const changed = [...old].flatMap(([id, text]) => {
    const other = current.get(id);
    if (other === undefined) return [`${id} is gone`];
    return other === text ? [] : [`${id} has changed`];
  });
  const added = [...current.keys()].filter((id) => !old.has(id)).map((id) => `${id} is new`);
  return [...changed, ...added];
}

function byId({ rules, trafficPolicies, userAgentFilters }: LiveObjects): Map<string, string> {
  const objects = [...rules.map((rule) => [rule.id, rule] as const), ...trafficPolicies, ...userAgentFilters];
  return new Map(objects.map(([id, live]) => [id, JSON.stringify(live)]));
}
