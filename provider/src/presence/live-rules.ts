// Which of many rules are live. A list may lack live rules, if others delete some while its pages are read. So a rule counts as
// gone only after a request by its id. A list may also show a deleted rule: what enters a state by a list alone is proved first.
import type { ApiClient } from '../api/client';
import type { Deadline } from '../api/clock';
import { LIST_SETTLED_MS } from './service-times';
import { inLanes } from '../api/lanes';
import type { RuleRef } from '../api/decode';
import type { ServiceRule } from '../rule/rule';
import { accountRulesOf, type AllRules, asListed } from './account-rules';
import { findRule, type SoughtRule } from './presence';

type Wanted = RuleRef & Pick<SoughtRule, 'createdAtLatest'>;

export interface Looking {
  readonly client: ApiClient;
  readonly deadline: Deadline;
  readonly warn?: (line: string) => void;
}

/** So many requests by ids need no line, and are quicker than another list. */
const FEW = 20;

/** The wanted rules that are live, in their order. A rule that the list lacks is asked for by its id. */
export async function liveRules(
  wanted: readonly Wanted[],
  list: Pick<AllRules, 'get'>,
  { client, deadline, warn }: Looking,
): Promise<ServiceRule[]> {
  const live = new Map<string, ServiceRule>();
  const missing: Wanted[] = [];
  for (const one of wanted) {
    const listed = list.get(one.id);
    if (listed === undefined) missing.push(one);
    else live.set(one.id, asListed(one, listed));
  }
  if (missing.length > FEW) warn?.(askedFor(missing.length));
  await inLanes(missing, client.maxConcurrency, async (one) => {
    const rule = await findRule({ client, deadline, ...one });
    deadline.noteProgress();
    if (rule !== undefined) live.set(one.id, rule);
  });
  return wanted.flatMap(({ id }) => live.get(id) ?? []);
}

/** The rules of a list that are still live. Many are looked for in another list, begun when all earlier deletions show. */
export async function stillLive(listed: readonly ServiceRule[], looking: Looking): Promise<ServiceRule[]> {
  const { client, deadline } = looking;
  const wanted = listed.map(({ id, ipPolicyId, createdAt }) => ({
    id,
    ipPolicyId,
    createdAtLatest: createdAt,
  }));
  if (wanted.length <= FEW) return liveRules(wanted, NO_LIST, looking);
  await client.clock.sleep(Math.min(LIST_SETTLED_MS, deadline.remainingMs()));
  return liveRules(wanted, await accountRulesOf(client).anew(deadline), looking);
}

const NO_LIST: Pick<AllRules, 'get'> = new Map<string, ServiceRule>();

const MOST_PER_MINUTE = 120;

const askedFor = (count: number): string =>
  `The list does not show ${count} rules that should be live: each is asked for by its id, which takes ` +
  `${Math.ceil(count / MOST_PER_MINUTE)} min at ${MOST_PER_MINUTE} requests a minute`;
