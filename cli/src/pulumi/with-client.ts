import type { ApiClient, ClientSettings } from 'pulumi-edge-policy/internal/api/client';
import type { ServiceRule } from 'pulumi-edge-policy/internal/rule/rule';
import { accountRulesOf } from 'pulumi-edge-policy/internal/run/account-rules';
import type { CliContext } from '../command/context';
import { sameCidr } from 'pulumi-edge-policy/internal/values/cidr';

/** Runs work with a client for these settings, then closes its connections. A command loads the client nowhere else. */
export async function withClient<T>(
  context: CliContext,
  settings: ClientSettings,
  work: (client: ApiClient) => Promise<T>,
): Promise<T> {
  const { ApiClient: Client } =
    require('pulumi-edge-policy/internal/api/client') as typeof import('pulumi-edge-policy/internal/api/client');
  const client = new Client(settings, {
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

/** The rules of the account that match a filter. */
export async function readRules(
  client: ApiClient,
  { policyIds, cidrs }: RuleFilter = {},
): Promise<ServiceRule[]> {
  const { rules } = await accountRulesOf(client).anew(client.startBulkWork());
  return [...rules.values()].filter(
    ({ ipPolicyId, cidr }) =>
      policyIds?.includes(ipPolicyId) !== false && cidrs?.some((wanted) => sameCidr(wanted, cidr)) !== false,
  );
}

/** Selects rules; all given conditions must hold. */
export interface RuleFilter {
  readonly policyIds?: readonly string[];
  /** Exactly these networks. */
  readonly cidrs?: readonly string[];
}
