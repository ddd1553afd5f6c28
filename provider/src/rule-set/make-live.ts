import { messageForUser } from '../errors/user-error';
import type { LiveRule, ServiceRule } from '../rule/rule';
import { accountRulesOf } from '../presence/account-rules';
import { stillLive } from '../presence/live-rules';
import { Blocked } from '../run/waiting';
import { claimRules } from '../run/claims';
import { SetRun, type SetAtWork } from './apply-plan';
import { holdsOthers } from './failures';

export interface Claim {
  /** Whether the set is about to own all rules of its policy. Otherwise it owns only those for the networks that it declares. */
  readonly isWholePolicy: boolean;
  /** Whether it may take over rules that others have made. */
  readonly mayOverwrite: boolean;
}

/** Blocked steps are retried later. @param findOwn Looks up the live rules that the set starts from. */
export async function makeLive(
  set: SetAtWork,
  claim: Claim,
  findOwn: () => Promise<readonly LiveRule[]>,
): Promise<SetRun> {
  const { context, call } = set;
  const run = new SetRun(set);
  let hasBegun = false;
  /** Rules are in the way that other resources may be about to delete. */
  let stillBlocked: Blocked | undefined;
  const attempt = async (): Promise<void> => {
    const ownRules = hasBegun ? run.live : await findOwn();
    const taken = await takeOver(set, claim, ownRules);
    hasBegun = true;
    if (taken.length > 0) run.hasNew = true;
    await run.attempt([...ownRules, ...taken]);
    const { blockedNetworks } = run;
    if (blockedNetworks.length > 0) throw (stillBlocked = new Blocked(() => stillBlocked, blockedNetworks));
  };
  await context.record.waiting.retry(context.client, call, attempt).catch((error: unknown) => {
    if (!hasBegun) throw error;
    if (error !== stillBlocked) run.failures.push(messageForUser(error));
  });
  await run.failBlocked();
  return run;
}

async function takeOver(
  set: SetAtWork,
  claim: Claim,
  ownRules: readonly LiveRule[],
): Promise<readonly ServiceRule[]> {
  const { context, ipPolicyId } = set;
  const { record } = context;
  const foreign = await findForeign(set, claim, ownRules);
  const busy = foreign.map(({ id }) => id).filter((key) => record.waiting.isBusy(key));
  if (busy.length > 0) {
    // Other operations are changing these rules right now, so the list may be stale.
    await record.waiting.untilFree(busy);
    return takeOver(set, claim, ownRules);
  }
  if (foreign.length > 0 && !claim.mayOverwrite) throw holdsOthers(ipPolicyId, foreign);
  claimRules(set, foreign);
  return foreign;
}

async function findForeign(
  { context, ipPolicyId, declared }: SetAtWork,
  { isWholePolicy, mayOverwrite }: Claim,
  ownRules: readonly LiveRule[],
): Promise<readonly ServiceRule[]> {
  const { client, record, warn } = context;
  const ownNetworks = new Set(ownRules.map(({ cidr }) => cidr));
  const missing = new Set(declared.flatMap(({ cidr }) => (ownNetworks.has(cidr) ? [] : [cidr])));
  if (!isWholePolicy && (!mayOverwrite || missing.size === 0)) return [];
  const owned = new Set(ownRules.map(({ id }) => id));
  const deadline = client.startBulkWork();
  const rules = await accountRulesOf(client).anew(deadline);
  const isForeign = (rule: ServiceRule): boolean =>
    !owned.has(rule.id) &&
    !record.ownership.isDeletedHere(rule.id) &&
    (isWholePolicy || missing.has(rule.cidr));
  const live = await stillLive(rules.ofPolicies([ipPolicyId]).filter(isForeign), { client, deadline, warn });
  return oldestFirst(live.filter(isForeign));
}

/** The order in which rules for one network are named and kept. */
export const oldestFirst = (rules: ServiceRule[]): ServiceRule[] =>
  rules.sort((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt));
