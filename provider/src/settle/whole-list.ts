import type { ApiClient } from '../api/client';
import type { Deadline } from '../api/deadline';
import type { ServiceRule } from '../rule/rule';

/** All rules of the account, by their ids. */
export interface WholeList {
  readonly rules: ReadonlyMap<string, ServiceRule>;
  /** How many requests it took. */
  readonly pageCount: number;
}

/** Reads the list from its first page to its last. */
export async function readWholeList(client: ApiClient, deadline: Deadline): Promise<WholeList> {
  const rules = new Map<string, ServiceRule>();
  let pageCount = 0;
  for await (const page of client.listIpPolicyRules(deadline)) {
    pageCount += 1;
    for (const rule of page.rules) rules.set(rule.id, rule);
  }
  return { rules, pageCount };
}
