import type { ApiClient } from '../api/client';
import type { Deadline } from '../api/deadline';
import type { ServiceRule } from '../rule/rule';
import { findRule } from '../run/presence';
import { untilListed } from '../run/service-times';
import { accountRulesOf, asListed, type WholeList } from '../run/account-rules';

/** The rules in a set's state, to be found on the service. */
export interface Managed {
  readonly client: ApiClient;
  readonly deadline: Deadline;
  /** The policy of all of them: an answer that shows one in another policy is refused. */
  readonly ipPolicyId: string;
  readonly ids: readonly string[];
  /** When the set last created a rule (RFC 3339): a young rule may be missing from a list, or from a read. */
  readonly changedAt: string | undefined;
}

/**
 * The managed rules that are live, in the order of their ids. A rule that is not on the list counts as gone only after a second
 * look: few rules by their ids, many by another list, whichever takes fewer requests.
 */
export async function findManaged(managed: Managed, list: WholeList): Promise<ServiceRule[]> {
  const missing = managed.ids.filter((id) => !list.rules.has(id));
  const found = missing.length === 0 ? undefined : await lookAgain(managed, list, missing);
  return managed.ids.flatMap((id) => {
    const rule = list.rules.get(id) ?? found?.get(id);
    return rule === undefined ? [] : [asListed({ ...managed, id }, rule)];
  });
}

async function lookAgain(
  managed: Managed,
  { pageCount }: WholeList,
  missing: readonly string[],
): Promise<ReadonlyMap<string, ServiceRule>> {
  const { client, deadline, ipPolicyId, changedAt } = managed;
  if (missing.length > pageCount) {
    await untilListed({ client, deadline, createdAtLatest: changedAt });
    return (await accountRulesOf(client).anew(deadline)).rules;
  }
  const looked = await Promise.all(
    missing.map((id) => findRule({ client, deadline, id, ipPolicyId, createdAtLatest: changedAt })),
  );
  return new Map(looked.flatMap((rule) => (rule === undefined ? [] : [[rule.id, rule] as const])));
}
