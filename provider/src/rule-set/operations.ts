// What for: what a set of rules does: a plan of the changes in a safe order, and its execution.
// Must not know: `hosts`, `resources`, `settings` and Pulumi.
//
// What a set does at each step of its life.
import { randomBytes } from 'node:crypto';
import { PartialFailure } from '../errors/partial-failure';
import { requireIdentifier, UserError } from '../errors/user-error';
import { type ReadOutcome, withoutAbsent } from '../fields/field';
import { type LiveRule, networkKey } from '../rule/rule';
import { accountRulesOf } from '../presence/account-rules';
import { liveRules, stillLive } from '../presence/live-rules';
import { overwriting } from '../run/claims';
import type { RunContext } from '../run/run-record';
import { EngineCall } from '../run/ownership';
import { latestServiceNow, serviceNowMs, serviceTimeMs } from '../presence/service-times';
import { type SetAtWork, SetRun } from './apply-plan';
import { exclusiveBesideOthers, notDeleted, summaryOf } from './failures';
import { lostCreatesText, mayBeOlder, withLostCreates, withoutDoubtful } from './earlier-lost-creates';
import { type Claim, makeLive, oldestFirst } from './make-live';
import { withUnsent } from './rule-ends';
import { endedLines, liveRulesInState, readRuleLines } from './rules-text';
import {
  declaredRules,
  EXCLUSIVE_BY_DEFAULT,
  type IpPolicyRuleSetInputs,
  type IpPolicyRuleSetState,
  ruleSetState,
  staying,
  wantedOf,
} from './set-state';

/** The id of a new set: random, as several sets may share a policy. */
const newSetId = (ipPolicyId: string): string => `${ipPolicyId}/${randomBytes(6).toString('hex')}`;

export async function createSet(
  context: RunContext,
  inputs: IpPolicyRuleSetInputs,
): Promise<{ id: string; state: IpPolicyRuleSetState }> {
  const id = newSetId(inputs.ipPolicyId);
  const set = setAtWork(context, inputs);
  const claim = { isWholePolicy: inputs.exclusive, mayOverwrite: inputs.overwriteExisting === true };
  return overwriting(set, mayTakeOver(set, claim, []), async () => {
    const run = await makeLive(set, claim, () => Promise.resolve([]));
    return { id, state: stateOrFailure(set, run, { id, inputs }) };
  });
}

export async function updateSet(
  context: RunContext,
  id: string,
  { olds, news }: { olds: IpPolicyRuleSetState; news: IpPolicyRuleSetInputs },
): Promise<IpPolicyRuleSetState> {
  const { record } = context;
  const set = setAtWork(context, news, olds.changedAt);
  const { call, declared } = set;
  const inState = liveRulesInState(olds);
  const stays = new Set(staying(inState, news));
  const leaves = inState.filter((rule) => !stays.has(rule));
  // This process tells the others before it asks them: if two processes see each other, the one that deletes gives way.
  record.ownership.beginUpdate(keysOf([...stays]), call);
  return record.waiting.handOverDuring(call, networksOf(leaves, olds), async () => {
    const managed = await notDeletedInRun(context, inState);
    const live = new Set(managed);
    record.ownership.release(keysOf([...stays].filter((rule) => !live.has(rule))));
    if (news.exclusive) requireNoOthers(set, leaves);
    const claim = {
      isWholePolicy: news.exclusive && !olds.exclusive,
      mayOverwrite: news.overwriteExisting === true,
    };
    const findOwn = async (): Promise<readonly LiveRule[]> => {
      const { live: ownRules, doubtful } = await withLostCreates(context, { call, olds, declared, managed });
      if (doubtful.length === 0) return ownRules;
      throw new PartialFailure({
        id,
        state: withoutDoubtful(olds, doubtful),
        reasons: [mayBeOlder(doubtful)],
      });
    };
    return overwriting(set, mayTakeOver(set, claim, inState), async () => {
      const run = await makeLive(set, claim, findOwn);
      return stateOrFailure(set, run, { id, inputs: news, before: inState });
    });
  });
}

/**
 * An exclusive set, and one that is looked up or imported by the id of its policy, has all rules of the policy. The program
 * decides whether it keeps them. A set is never gone: without any rules it is empty.
 */
export async function readSet(
  context: RunContext,
  id: string,
  prior: Partial<IpPolicyRuleSetState>,
): Promise<ReadOutcome<IpPolicyRuleSetState>> {
  const { client, record, warn } = context;
  const deadline = client.startBulkWork();
  const looking = { client, deadline, warn };
  const ipPolicyId = prior.ipPolicyId ?? id.split('/', 1)[0] ?? id;
  if (prior.ipPolicyId === undefined) requireIdentifier(ipPolicyId, 'ipPolicy');
  const isWhole = prior.exclusive ?? prior.rules === undefined;
  const known = liveRulesInState(prior);
  const list = await accountRulesOf(client).whole(deadline);
  const managed = await liveRules(wantedOf(known, { ...prior, ipPolicyId }), list, looking);
  const knownIds = new Set(keysOf(known));
  const others = isWhole ? list.ofPolicies([ipPolicyId]).filter((rule) => !knownIds.has(rule.id)) : [];
  const live = [...managed, ...oldestFirst(await stillLive(others, looking))];
  // A look-up of a whole policy (`get`) may see the rule of a concurrent create before that create is answered.
  if (prior.rules !== undefined) for (const rule of live) record.ownership.noteSeen(rule.id);
  const { overwriteExisting, changedAt, unsettledSince, unsettledInputs, unsettledRules } = prior;
  const exclusive = prior.exclusive ?? EXCLUSIVE_BY_DEFAULT;
  const state = ruleSetState(
    { ipPolicyId, exclusive, overwriteExisting, changedAt, unsettledSince, unsettledInputs, unsettledRules },
    withUnsent(live, { declared: [], before: known }),
    prior.rules,
  );
  const { rules } = state;
  return { id, state, inputs: withoutAbsent({ ipPolicyId, rules, exclusive, overwriteExisting }) };
}

/** Deletes the rest of a set: allows first, so that the policy does not open up on the way. */
export async function deleteSet(context: RunContext, olds: IpPolicyRuleSetState): Promise<void> {
  const set = { ...setAtWork(context, olds, olds.changedAt), declared: [] };
  const { call, declared } = set;
  const managed = liveRulesInState(olds);
  const run = new SetRun(set);
  await context.record.waiting.handOverDuring(call, networksOf(managed, olds), async () => {
    const { live, doubtful } = await withLostCreates(context, { call, olds, declared, managed });
    // A failure would be one for good, as the state of what is being deleted cannot change.
    if (doubtful.length > 0) context.warn(mayBeOlder(doubtful));
    // No look-up is needed first: a delete of a rule that is gone is answered by a 404.
    await run.attempt(live);
  });
  if (run.failures.length > 0) throw notDeleted(olds.ipPolicyId, run);
}

const setAtWork = (context: RunContext, inputs: IpPolicyRuleSetInputs, changedAt?: string): SetAtWork => ({
  context,
  call: new EngineCall(),
  ipPolicyId: inputs.ipPolicyId,
  declared: declaredRules(inputs),
  changedAt,
});

const keysOf = (rules: readonly LiveRule[]): string[] => rules.map(({ id }) => id);

const networksOf = (rules: readonly LiveRule[], { ipPolicyId }: IpPolicyRuleSetInputs): string[] =>
  rules.map(({ cidr }) => networkKey({ ipPolicyId, cidr }));

function mayTakeOver(
  { ipPolicyId, declared }: SetAtWork,
  { mayOverwrite }: Claim,
  inState: readonly LiveRule[],
): string[] {
  const networksInState = new Set(inState.map(({ cidr }) => cidr));
  const missing = mayOverwrite ? declared.filter(({ cidr }) => !networksInState.has(cidr)) : [];
  return missing.map(({ cidr }) => networkKey({ ipPolicyId, cidr }));
}

/** The rules in state without those that this run has deleted for another resource. Waits for deletes under way. */
async function notDeletedInRun(
  { record }: RunContext,
  rules: readonly LiveRule[],
): Promise<readonly LiveRule[]> {
  const keys = keysOf(rules).filter((key) => record.ownership.isDeletedHere(key));
  await record.waiting.untilFree(keys);
  const deleted = record.ownership.deletedInRun();
  return rules.filter(({ id }) => !deleted.has(id));
}

function requireNoOthers({ context, call, ipPolicyId }: SetAtWork, leaving: readonly LiveRule[]): void {
  const { ownership } = context.record;
  const ownedByOthers = leaving.filter((rule) => ownership.isOwnedByOther(rule.id, call));
  if (ownedByOthers.length > 0) throw exclusiveBesideOthers(ipPolicyId, ownedByOthers);
}

/** A smaller difference may come from slow answers. */
const LARGEST_GAP_MS = 60_000;

/** Warns if the clock of this machine, which decides when rules end, is not that of the service. */
function warnOfClock({ client, warn }: Pick<RunContext, 'client' | 'warn'>, rules: string): void {
  const gapMs = client.clock.epochMs() - serviceNowMs(client);
  const hasEnds =
    endedLines(rules).length > 0 || readRuleLines(rules)?.some(({ until }) => until !== undefined);
  if (Math.abs(gapMs) <= LARGEST_GAP_MS || hasEnds !== true) return;
  const [direction, effect] = gapMs > 0 ? ['ahead of', 'early'] : ['behind', 'late'];
  const minutes = Math.round(Math.abs(gapMs) / 60_000);
  warn(
    `The clock of this machine is ${minutes} min ${direction} the service's. Rules with until end by it, so they end that much too ` +
      `${effect}: set the clock.`,
  );
}

interface KeptSet {
  readonly id: string;
  readonly inputs: IpPolicyRuleSetInputs;
  /** The rules in state; absent before there is one. */
  readonly before?: readonly LiveRule[];
}

/** @throws PartialFailure, or UserError, about anything left undone. */
function stateOrFailure(
  { context, call, declared, changedAt }: SetAtWork,
  run: SetRun,
  { id, inputs, before }: KeptSet,
): IpPolicyRuleSetState {
  const { client, record } = context;
  const { live, hasLostAnswers } = run;
  warnOfClock(context, inputs.rules);
  const now = latestServiceNow(client);
  // Computed only now: the run's own answers show how the clocks differ.
  const since = new Date(serviceTimeMs(client, run.startedAtMs) + client.createdAtAheadMs).toISOString();
  const settings = {
    ...inputs,
    // A create whose answer was lost may have created a rule as well.
    changedAt: run.hasNew || hasLostAnswers ? now : changedAt,
    unsettledSince: hasLostAnswers ? since : undefined,
    unsettledInputs: hasLostAnswers ? { ...inputs } : undefined,
    unsettledRules: hasLostAnswers ? lostCreatesText(run.lostCreates) : undefined,
  };
  const state = ruleSetState(settings, withUnsent(live, { declared, before: before ?? [] }), inputs.rules);
  if (run.failures.length === 0) return state;
  // Others may delete what the set still had to delete. So may this call if the engine repeats it.
  const stays = new Set(staying(live, inputs));
  record.ownership.releaseClaims(keysOf(live.filter((rule) => !stays.has(rule))), call);
  const reasons = summaryOf(inputs.ipPolicyId, run);
  // With nothing to keep, the engine rightly forgets the set.
  if (before === undefined && live.length === 0 && !hasLostAnswers) throw new UserError(reasons.join('\n'));
  throw new PartialFailure({ id, state, reasons });
}
