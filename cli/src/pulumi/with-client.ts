import { isMeant, type RuleFilter } from '../adopt/rule-filter';
import type * as clientModule from 'pulumi-edge-policy/internal/api/client';
import type { ApiClient, ClientSettings } from 'pulumi-edge-policy/internal/api/client';
import type { ServiceRule } from 'pulumi-edge-policy/internal/rule/rule';
import { accountRulesOf } from 'pulumi-edge-policy/internal/run/account-rules';
import type { CliContext } from '../command/context';

/** Runs work with a client for these settings, then closes its connections. A command loads the client nowhere else. */
export async function withClient<T>(
  context: CliContext,
  settings: ClientSettings,
  work: (client: ApiClient) => Promise<T>,
): Promise<T> {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- as late as possible
  const { ApiClient: Client } = require('pulumi-edge-policy/internal/api/client') as typeof clientModule;
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
export async function readRules(client: ApiClient, filter: RuleFilter = {}): Promise<ServiceRule[]> {
  const { rules } = await accountRulesOf(client).anew(client.startOperation());
  return [...rules.values()].filter((rule) => isMeant(rule, filter));
}
