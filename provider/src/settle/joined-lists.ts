import type { ApiClient } from '../api/client';
import type { Deadline } from '../api/deadline';
import type { ServiceRule } from '../rule/rule';

/**
 * Reads the list for creates that look for what is there before they send anything. One that asks while a list is being read
 * waits for the next, which begins afterwards and serves everybody who waits by then: each sees a list that began after it asked,
 * and a thousand creates read a hundred lists or so, not a thousand.
 */
export class JoinedLists {
  private reading: Promise<unknown> = Promise.resolve();
  private isReading = false;
  private next: Promise<readonly ServiceRule[]> | undefined;

  /** All rules of the account. A failure of a list that somebody else began is not passed on: the list is read once more. */
  async read(
    client: Pick<ApiClient, 'listIpPolicyRules'>,
    deadline: Deadline,
  ): Promise<readonly ServiceRule[]> {
    if (!this.isReading) return this.begin(client, deadline);
    const isFirst = this.next === undefined;
    this.next ??= this.reading.then(() => {
      this.next = undefined;
      return this.begin(client, deadline);
    });
    if (isFirst) return this.next;
    const joined = await this.next.catch(() => undefined);
    if (joined === undefined) return wholeList(client, deadline);
    // The wait was for work that went on.
    deadline.renew();
    return joined;
  }

  private async begin(
    client: Pick<ApiClient, 'listIpPolicyRules'>,
    deadline: Deadline,
  ): Promise<readonly ServiceRule[]> {
    this.isReading = true;
    const list = wholeList(client, deadline);
    this.reading = list
      .catch(() => undefined)
      .finally(() => {
        this.isReading = false;
      });
    return list;
  }
}

/** A rule that moves between two pages while they are read counts once. */
async function wholeList(
  client: Pick<ApiClient, 'listIpPolicyRules'>,
  deadline: Deadline,
): Promise<readonly ServiceRule[]> {
  const rules = new Map<string, ServiceRule>();
  for await (const page of client.listIpPolicyRules(deadline))
    for (const rule of page.rules) rules.set(rule.id, rule);
  return [...rules.values()];
}
