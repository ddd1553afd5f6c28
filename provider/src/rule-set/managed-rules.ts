import type { ApiClient } from '../api/client';
import type { Deadline } from '../api/deadline';
import type { ServiceRule } from '../rule/rule';
import { findRule } from '../presence/presence';
import { untilListed } from '../presence/service-times';
import { accountRulesOf, type AllRules, asListed } from '../presence/account-rules';

/** The rules in a set's state, to be found on the service. */
interface Managed {
  readonly client: ApiClient;
  readonly deadline: Deadline;
  /** The policy of all of them. An answer that shows one in another policy is refused. */
  readonly ipPolicyId: string;
  readonly ids: readonly string[];
  /** When the set last created a rule (RFC 3339). A list, or a read, may not show a young rule. */
  readonly changedAt: string | undefined;
}

/** If a list lacks more rules than this, another list is read instead. */
const MOST_BY_ID = 20;

/**
 * The managed rules that are live, in the order of their ids. A rule that the list lacks is looked for before it counts as
 * gone.
 */
export async function findManaged(managed: Managed, list: AllRules): Promise<ServiceRule[]> {
  const found = await lookAgain(
    managed,
    managed.ids.filter((id) => !list.has(id)),
  );
  return managed.ids.flatMap((id) => {
    const rule = list.get(id) ?? found.get(id);
    return rule === undefined ? [] : [asListed({ ...managed, id }, rule)];
  });
}

async function lookAgain(managed: Managed, missing: readonly string[]): Promise<AllRules> {
  const { client, deadline, ipPolicyId, changedAt: createdAtLatest } = managed;
  if (missing.length > MOST_BY_ID) {
    await untilListed({ client, deadline, createdAtLatest });
    return accountRulesOf(client).anew(deadline);
  }
  const looked = await Promise.all(
    missing.map(async (id) => {
      const rule = await findRule({ client, deadline, id, ipPolicyId, createdAtLatest });
      deadline.noteProgress();
      return rule;
    }),
  );
  return new Map(looked.flatMap((rule) => (rule === undefined ? [] : [[rule.id, rule] as const])));
}
