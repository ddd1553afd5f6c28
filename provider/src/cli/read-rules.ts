import { isMeant, type RuleFilter } from '../adopt/rule-filter';
import type { ApiClient } from '../api/client';
import type { IpPolicyRuleWire } from '../api/wire';

/** The rules of the account that a filter means, each once, whatever is inserted while pages are read. */
export async function readRules(client: ApiClient, filter: RuleFilter = {}): Promise<IpPolicyRuleWire[]> {
  const rules = new Map<string, IpPolicyRuleWire>();
  const deadline = client.startOperation();
  for await (const page of client.listIpPolicyRules(deadline)) {
    // The deadline bounds the time without progress: an account may hold a thousand pages.
    deadline.renew();
    for (const rule of page.ip_policy_rules) if (isMeant(rule, filter)) rules.set(rule.id, rule);
  }
  return [...rules.values()];
}
