import type { ApiClient } from '../api/client';
import type { Deadline } from '../api/deadline';
import type { IpPolicyRuleWire } from '../api/wire';

/** All rules of the account, by their ids. */
export interface WholeList {
  readonly rules: ReadonlyMap<string, IpPolicyRuleWire>;
  /** How many requests it took. */
  readonly pageCount: number;
}

/** Reads the list from its first page to its last. */
export async function readWholeList(client: ApiClient, deadline: Deadline): Promise<WholeList> {
  const rules = new Map<string, IpPolicyRuleWire>();
  let pageCount = 0;
  for await (const page of client.listIpPolicyRules(deadline)) {
    pageCount += 1;
    for (const rule of page.ip_policy_rules) rules.set(rule.id, rule);
  }
  return { rules, pageCount };
}
