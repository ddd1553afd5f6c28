import type * as clientModule from 'pulumi-edge-policy/internal/api/client';
import type { ApiClient, ClientSettings } from 'pulumi-edge-policy/internal/api/client';
import type { ServiceRule } from 'pulumi-edge-policy/internal/rule/rule';
import { accountRulesOf } from 'pulumi-edge-policy/internal/run/account-rules';
import type { CliContext } from '../command/context';
import type { RuleAction } from 'pulumi-edge-policy/internal/values/action';
import { type Cidr, contains, parseCidr, sameCidr } from 'pulumi-edge-policy/internal/values/cidr';

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

/** Selects rules; all given conditions must hold. */
export interface RuleFilter {
  readonly policyIds?: readonly string[];
  readonly action?: RuleAction;
  /** Exactly these networks. */
  readonly cidrs?: readonly string[];
  /** Networks inside one of these. */
  readonly within?: readonly Cidr[];
  /** A part of the description, case-insensitive. */
  readonly description?: string;
}

/** Whether a rule matches a filter. */
function isMeant(rule: ServiceRule, filter: RuleFilter): boolean {
  const { policyIds, action, cidrs, within, description } = filter;
  return (
    (policyIds === undefined || policyIds.includes(rule.ipPolicyId)) &&
    (action === undefined || rule.action === action) &&
    (cidrs === undefined || cidrs.some((cidr) => sameCidr(cidr, rule.cidr))) &&
    (within === undefined || within.some((range) => isWithin(rule.cidr, range))) &&
    (description === undefined || holdsText(rule.description ?? '', description))
  );
}

function isWithin(cidr: string, range: Cidr): boolean {
  const parsed = parseCidr(cidr);
  return parsed.ok && contains(range, parsed.cidr);
}

const holdsText = (text: string, part: string): boolean =>
  text.toLocaleLowerCase('en').includes(part.toLocaleLowerCase('en'));
