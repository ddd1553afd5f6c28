import type { LiveModule, LiveObjects } from '../adopt/adoption';
import { readRules, type RuleFilter } from '../pulumi/with-client';
import type { ApiClient } from 'pulumi-edge-policy/internal/api/client';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { liveModule, noModule } from 'pulumi-edge-policy/internal/resources/module-kind';
import { moduleKind } from 'pulumi-edge-policy/internal/resources/modules';
import { liveKey, type ModuleType } from 'pulumi-edge-policy/internal/resources/provider-reference';

/** What to read from the service. */
export interface Wanted {
  /** Absent if no rules are wanted. */
  readonly rules?: RuleFilter;
  readonly modules: readonly WantedModule[];
}

/** A module that is asked for. */
export interface WantedModule {
  readonly type: ModuleType;
  readonly id: string;
}

/**
 * Reads the wanted objects.
 *
 * @throws UserError if a policy has no rule, or an edge or route no module.
 */
export async function readLive(client: ApiClient, wanted: Wanted): Promise<LiveObjects> {
  const rules = wanted.rules === undefined ? [] : await readRules(client, wanted.rules);
  const modules = await readModules(client, wanted.modules);
  const policies = new Set(rules.map(({ ipPolicyId }) => ipPolicyId));
  const missing = [
    ...(wanted.rules?.policyIds ?? []).filter((id) => !policies.has(id)).map(noRuleOf),
    ...wanted.modules
      .filter(({ type, id }) => !modules.has(liveKey(type, id)))
      .map(({ type, id }) => noModule(moduleKind(type), id)),
  ];
  if (missing.length > 0)
    throw new UserError(`${missing.join('\n')}\nCheck the ids; nothing was written or imported.`);
  return { rules, modules };
}

const noRuleOf = (policyId: string): string =>
  `the list shows no rule of IP policy ${policyId} to adopt (a policy without rules does not appear in it)`;

async function readModules(
  client: ApiClient,
  wanted: readonly WantedModule[],
): Promise<Map<string, LiveModule>> {
  const found = new Map<string, LiveModule>();
  for (const { type, id } of wanted) {
    if (found.has(liveKey(type, id))) continue;
    const live = await liveModule(moduleKind(type), client, id);
    if (live !== undefined) found.set(liveKey(type, id), { type, live });
  }
  return found;
}
