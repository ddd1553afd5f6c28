// The service, as every command reads it: the client, the rules of an account, the modules at some places.
import type { ApiClient, ClientSettings } from 'pulumi-edge-policy/internal/api/client';
import type { Deadline } from 'pulumi-edge-policy/internal/api/clock';
import type { RulePage } from 'pulumi-edge-policy/internal/api/decode';
import { liveModule } from 'pulumi-edge-policy/internal/resources/module-kind';
import { moduleKind } from 'pulumi-edge-policy/internal/resources/modules';
import { liveKey } from 'pulumi-edge-policy/internal/resources/provider-reference';
import { detailsOf, type ServiceRule } from 'pulumi-edge-policy/internal/rule/rule';
import { accountRulesOf } from 'pulumi-edge-policy/internal/presence/account-rules';
import { sameCidr } from 'pulumi-edge-policy/internal/values/cidr';
import type { LiveModulePlace, ReviewedResource } from 'pulumi-edge-policy-review';
import type { CliContext } from '../command/context';
import { progressOf } from '../command/progress';

/** Runs work with a client for these settings, then closes its connections. A command loads the client nowhere else. */
export async function withClient<T>(
  context: CliContext,
  settings: ClientSettings,
  work: (client: ApiClient) => Promise<T>,
): Promise<T> {
  const { ApiClient: Client } =
    require('pulumi-edge-policy/internal/api/client') as typeof import('pulumi-edge-policy/internal/api/client');
  const showProgress = progressOf(context);
  class WatchedClient extends Client {
    override async *listIpPolicyRules(deadline: Deadline): AsyncGenerator<RulePage, void> {
      let read = 0;
      for await (const page of super.listIpPolicyRules(deadline)) {
        read += page.rules.length;
        showProgress(() => `Reading the rules of the account: ${read} so far`);
        yield page;
      }
    }
  }
  const client = new WatchedClient(settings, {
    clock: context.clock,
    random: Math.random,
    warn: (line) => {
      context.note(`${line}\n`);
    },
  });
  try {
    return await work(client);
  } finally {
    client.close();
  }
}

/** Selects rules; all given conditions must hold. */
export interface RuleFilter {
  readonly policyIds?: readonly string[];
  readonly cidrs?: readonly string[];
}

export async function readRules(
  client: ApiClient,
  { policyIds, cidrs }: RuleFilter = {},
): Promise<ServiceRule[]> {
  const rules = await accountRulesOf(client).anew(client.startBulkWork());
  return rules
    .ofPolicies(policyIds)
    .filter(({ cidr }) => cidrs?.some((wanted) => sameCidr(wanted, cidr)) !== false);
}

/** What a row that cannot be read shows of its rule. */
interface UnreadRule {
  readonly id: string;
  readonly ipPolicyId?: string;
}

export const isRead = (rule: ServiceRule | UnreadRule): rule is ServiceRule => 'cidr' in rule;

/** All rules of the account. A row that cannot be read is one, too: whatever depends on it is not decided. */
export async function readRows(client: ApiClient): Promise<(ServiceRule | UnreadRule)[]> {
  const rules = await accountRulesOf(client).anew(client.startBulkWork());
  return [
    ...rules.values(),
    ...rules.unreadable.map(({ problem, ipPolicyId }, at) => ({
      id: `unreadable row ${at + 1} (${problem.split(' ', 1).join()})`,
      ...(ipPolicyId !== undefined && { ipPolicyId }),
    })),
  ];
}

/** The modules at these places that there are, by their keys; see `liveKey`. */
export async function readModules(
  client: ApiClient,
  places: readonly LiveModulePlace[],
): Promise<Map<string, LiveModulePlace & { readonly live: object }>> {
  const asked = new Map(places.map((place) => [liveKey(place.type, place.subject), place]));
  const modules = await Promise.all(
    [...asked].map(async ([key, place]) => {
      const live = await liveModule(moduleKind(place.type), client, place.subject);
      return live === undefined ? [] : [[key, { ...place, live }] as const];
    }),
  );
  return new Map(modules.flat());
}

/** The live rules of the account and the modules at these places, as a review compares them, whatever any stack says. */
export async function resourcesOfService(
  client: ApiClient,
  places: readonly LiveModulePlace[],
): Promise<ReviewedResource[]> {
  const rules = await readRows(client);
  return [
    ...rules.map((rule) => {
      const { id, ...known } = rule;
      if (!isRead(rule)) return liveResource('IpPolicyRule', id, known);
      const { ipPolicyId, cidr, action, createdAt } = rule;
      return liveResource('IpPolicyRule', id, { ipPolicyId, cidr, action, createdAt, ...detailsOf(rule) });
    }),
    ...(await modulesOfService(client, places)),
  ];
}

export const modulesOfService = async (
  client: ApiClient,
  places: readonly LiveModulePlace[],
): Promise<ReviewedResource[]> =>
  [...(await readModules(client, places)).values()].map(({ type, subject, live }) =>
    liveResource(type, subject, { ...live }),
  );

const liveResource = (
  type: ReviewedResource['origin']['type'],
  id: string,
  inputs: Record<string, unknown>,
): ReviewedResource => ({ origin: { urn: id, name: id, type }, inputs, outputs: {} });
