import { isMeant, type RuleFilter } from '../adopt/rule-filter';
import type { ApiClient } from '../api/client';
import type { IpPolicyRuleWire } from '../api/wire';
import { readWholeList } from '../settle/whole-list';

/** The rules of the account that a filter means. */
export async function readRules(client: ApiClient, filter: RuleFilter = {}): Promise<IpPolicyRuleWire[]> {
  const { rules } = await readWholeList(client, client.startOperation());
  return [...rules.values()].filter((rule) => isMeant(rule, filter));
}
