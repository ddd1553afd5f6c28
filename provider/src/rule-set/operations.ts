// What for: what a set of rules does: a plan of the fewest requests in a safe order, and its execution.
// Must not know: `hosts`, `resources`, `settings` and Pulumi.
//
// What a set does at each step of its life. Sets of one policy take turns: they would wait for each other's look-ups.
import { randomBytes } from 'node:crypto';
import { withoutAbsent } from '../fields/field';
import type { ReadOutcome } from '../fields/outputs';
import { PartialFailure } from '../errors/partial-failure';
import { messageForUser, requireIdentifier, UserError } from '../errors/user-error';
import { ruleIdOf, ruleKey } from '../run/object-key';
import { Owner } from '../run/ownership';
import { Blocked } from '../run/patience';
import { type LiveRule, networkKey, type ServiceRule } from '../rule/rule';
import { ruleDeclaredTwice, ruleInTheWay, RULES_KEPT } from '../run/create-failures';
import { latestServiceNowMs, serviceTimeMs } from '../run/service-times';
import { accountRulesOf } from '../run/account-rules';
import type { RunContext } from '../run/ledger';
import { applyPlan, type Applied } from './apply-plan';
import { exclusiveBesideOthers, holdsOthers, notDeleted, summaryOf } from './failures';
import { warnOfClock, withEnds } from './rule-ends';
import { findManaged } from './managed-rules';
import { planChanges } from './plan-changes';
import { liveRulesInState } from './rules-text';
import {
  declaredRules,
  ruleSetState,
  type IpPolicyRuleSetInputs,
  type IpPolicyRuleSetState,
} from './set-state';
import { staying } from './staying';
import { unsettledText, withLostCreates } from './unsettled';

/** The set that an operation works on. */
interface SetAtWork {
  readonly context: RunContext;
  readonly owner: Owner;
  readonly id: string;
  readonly inputs: IpPolicyRuleSetInputs;
  /** When the set last created a rule (RFC 3339), if state knows: about a young rule, neither a 404 nor a list proves much. */
  readonly changedAt: string | undefined;
}

/** The id of a new set: random, as several sets may share a policy. */
export const newSetId = (ipPolicyId: string): string => `${ipPolicyId}/${randomBytes(6).toString('hex')}`;

/** Creates the rules of a new set. */
export async function createSet(
  context: RunContext,
  inputs: IpPolicyRuleSetInputs,
): Promise<{ id: string; state: IpPolicyRuleSetState }> {
  const id = newSetId(inputs.ipPolicyId);
  const set = { context, owner: new Owner(), id, inputs, changedAt: undefined };
  const applied = await makeLive({ ...set, wholePolicy: inputs.exclusive }, () => Promise.resolve([]));
  warnOfClock(context, inputs.rules);
  return { id, state: stateOrFailure({ ...set, applied }) };
}

/** Makes the live rules of a set into the declared ones. */
export async function updateSet(
  context: RunContext,
  id: string,
  { olds, news }: { olds: IpPolicyRuleSetState; news: IpPolicyRuleSetInputs },
): Promise<IpPolicyRuleSetState> {
  const { ledger } = context;
  const owner = new Owner();
  const set = { context, owner, id, inputs: news, changedAt: olds.changedAt };
  const held = liveRulesInState(olds);
  const stays = new Set(staying(held, news));
  const leaves = held.filter((rule) => !stays.has(rule));
  // The others are told before they are asked: if two processes see each other, the one that deletes gives way.
  ledger.ownership.beginUpdate(keysOf([...stays]), owner);
  return ledger.givenUp.during(owner, networksOf(leaves, olds), async () => {
    const managed = await notGone(context, held);
    for (const rule of managed) ledger.noteRule(rule.id);
    const live = new Set(managed);
    ledger.ownership.withdraw(keysOf([...stays].filter((rule) => !live.has(rule))));
    if (news.exclusive) requireNoOthers(set, leaves);
    const declared = declaredRules(news);
    const own = (): Promise<readonly LiveRule[]> =>
      withLostCreates(context, { owner, olds, declared, managed });
    const applied = await makeLive({ ...set, wholePolicy: news.exclusive && !olds.exclusive }, own);
    warnOfClock(context, news.rules, olds.rules);
    return stateOrFailure({ ...set, applied, before: held });
  });
}

const keysOf = (rules: readonly LiveRule[]): string[] => rules.map(({ id }) => ruleKey(id));

const networksOf = (rules: readonly LiveRule[], { ipPolicyId }: IpPolicyRuleSetInputs): string[] =>
  rules.map(({ cidr }) => networkKey({ ipPolicyId, cidr }));

/**
 * Reads the live rules of a set. An exclusive set, and one that is looked up or imported by the id of its policy, has all rules
 * of the policy; whether it keeps them is for the program to say. A set is never gone: without any rules it is empty.
 */
export async function readSet(
  context: RunContext,
  id: string,
  prior: Partial<IpPolicyRuleSetState>,
): Promise<ReadOutcome<IpPolicyRuleSetState>> {
  const { client, ledger } = context;
  const deadline = client.startOperation();
  const ipPolicyId = prior.ipPolicyId ?? id.split('/', 1)[0] ?? id;
  if (prior.ipPolicyId === undefined) requireIdentifier(ipPolicyId, 'ipPolicy');
  const isWhole = prior.exclusive ?? prior.rules === undefined;
  const known = liveRulesInState(prior);
  const ids = known.map((rule) => rule.id);
  const list = await accountRulesOf(client).whole(deadline);
  const managed = await findManaged({ client, deadline, ipPolicyId, ids, changedAt: prior.changedAt }, list);
  const own = new Set(ids);
  const others = [...list.rules.values()].filter((rule) => isWhole && !own.has(rule.id));
  const live = [...managed, ...oldestFirst(others)].filter((rule) => rule.ipPolicyId === ipPolicyId);
  // A look-up of a whole policy (`get`) may see the rule of a create that runs at the same time before that create is answered.
  if (prior.rules !== undefined) for (const rule of live) ledger.noteRule(rule.id);
  const settings = {
    ipPolicyId,
    exclusive: prior.exclusive ?? false,
    ...given('overwriteExisting', prior.overwriteExisting),
    ...given('changedAt', prior.changedAt),
    ...given('unsettledSince', prior.unsettledSince),
    ...given('unsettledRules', prior.unsettledRules),
  };
  const state = ruleSetState(settings, withEnds(live, { declared: [], before: known }), prior.rules);
  const { rules, exclusive, overwriteExisting } = state;
  return { id, state, inputs: withoutAbsent({ ipPolicyId, rules, exclusive, overwriteExisting }) };
}

/** The rules in state, without those that this run has deleted for another resource, once deletes under way have ended. */
async function notGone({ ledger }: RunContext, rules: readonly LiveRule[]): Promise<readonly LiveRule[]> {
  const keys = rules.map(({ id }) => ruleKey(id)).filter((key) => ledger.ownership.isGone(key));
  await Promise.all(keys.map((key) => ledger.oneAtATime(key, () => Promise.resolve())));
  const gone = ledger.ownership.goneInRun();
  return rules.filter(({ id }) => !gone.has(ruleKey(id)));
}

/** Deletes the rest of a set: allows first, so that the policy does not open up on the way. */
export async function deleteSet(context: RunContext, olds: IpPolicyRuleSetState): Promise<void> {
  const { ipPolicyId, changedAt } = olds;
  const owner = new Owner();
  const managed = liveRulesInState(olds);
  for (const rule of managed) context.ledger.noteRule(rule.id);
  const remove = async (): Promise<Applied> => {
    const live = await withLostCreates(context, { owner, olds, declared: [], managed });
    // Without a look-up first: the answer to the delete of a rule that is gone says so.
    const plan = planChanges(live, []);
    return applyPlan({ context, owner, ipPolicyId, changedAt, plan, declared: [], live });
  };
  const applied = await context.ledger.givenUp.during(owner, networksOf(managed, olds), () =>
    inTurn(context, ipPolicyId, remove),
  );
  if (applied.keptCount > 0) context.warn(RULES_KEPT);
  if (applied.failures.length > 0) throw notDeleted(ipPolicyId, applied);
}

/** The result of applying a plan, with the time (milliseconds of our monotonic clock) since which its effects may have happened. */
type Timed = Applied & { readonly startedAtMs: number };

/** A set, and whether it is about to own all rules of its policy, and not only those for the networks that it declares. */
type Taking = SetAtWork & { readonly wholePolicy: boolean };

/**
 * Makes the declared rules live. Blocked steps are tried again later. Meanwhile other sets of the policy have their turns, as one
 * of them may be about to delete the rule in the way.
 */
async function makeLive(set: Taking, findOwn: () => Promise<readonly LiveRule[]>): Promise<Timed> {
  const { context, owner, inputs } = set;
  const startedAtMs = context.client.clock.monotonicMs();
  let before: Applied | undefined;
  const attempt = async (): Promise<Applied> => {
    const applied = await inTurn(context, inputs.ipPolicyId, () => applyOnce(set, before, findOwn));
    before = before === undefined ? applied : together(before, applied);
    if (applied.failures.length === 0 && applied.blocked.length > 0) throw new StillBlocked(before);
    return before;
  };
  const applied = await context.ledger.patiently(context.client, owner, attempt).catch((error: unknown) => {
    if (error instanceof StillBlocked) return error.applied;
    if (before === undefined) throw error;
    return { ...before, blocked: [], failures: [messageForUser(error)] };
  });
  if (applied.keptCount > 0) context.warn(RULES_KEPT);
  return { ...(await explained(applied)), startedAtMs };
}

/** Some of the work is done, and the rest is blocked. */
class StillBlocked extends Blocked {
  constructor(readonly applied: Applied) {
    super(
      () => Promise.resolve(this),
      applied.blocked.flatMap(({ networks }) => networks),
    );
  }
}

async function applyOnce(
  set: Taking,
  before: Applied | undefined,
  findOwn: () => Promise<readonly LiveRule[]>,
): Promise<Applied> {
  const { context, owner, inputs, changedAt } = set;
  const { ipPolicyId } = inputs;
  const own = before?.live ?? (await findOwn());
  const live = await takeOver(set, own);
  const declared = declaredRules(inputs);
  const plan = planChanges(live, declared);
  const applied = await applyPlan({ context, owner, ipPolicyId, changedAt, plan, declared, live });
  return { ...applied, hasNew: applied.hasNew || live.length > own.length };
}

/** The combined result of two attempts: live rules and failures are those of the second one. */
const together = (first: Applied, second: Applied): Applied => ({
  ...second,
  doneCount: first.doneCount + second.doneCount,
  totalCount: first.doneCount + second.totalCount,
  hasNew: first.hasNew || second.hasNew,
  isUnsettled: first.isUnsettled || second.isUnsettled,
  lost: [...first.lost, ...second.lost],
  keptCount: first.keptCount + second.keptCount,
});

/** Steps that are blocked to the end have failed. */
async function explained(applied: Applied): Promise<Applied> {
  const reasons = await Promise.all(applied.blocked.map(({ explain }) => explain()));
  return { ...applied, failures: [...applied.failures, ...reasons] };
}

/** The state of a set after an operation; throws an error about anything left undone. */
function stateOrFailure({
  context,
  owner,
  id,
  inputs,
  applied,
  changedAt,
  before,
}: SetAtWork & {
  readonly applied: Timed;
  /** The state of the set; absent before it has one. */
  readonly before?: readonly LiveRule[];
}): IpPolicyRuleSetState {
  const { client } = context;
  const now = new Date(latestServiceNowMs(client)).toISOString();
  // Only now, as the run's own answers show how the clocks differ.
  const since = new Date(serviceTimeMs(client, applied.startedAtMs)).toISOString();
  const settings = {
    ...inputs,
    // A create whose answer was lost may have created a rule as well.
    ...given('changedAt', applied.hasNew || applied.isUnsettled ? now : changedAt),
    ...given('unsettledSince', applied.isUnsettled ? since : undefined),
    ...given('unsettledRules', applied.isUnsettled ? unsettledText(applied.lost) : undefined),
  };
  const state = ruleSetState(
    settings,
    withEnds(applied.live, { declared: declaredRules(inputs), before: before ?? [] }),
    inputs.rules,
  );
  if (applied.failures.length === 0) return state;
  // Others may delete what the set was still to delete, and so may this call if the engine repeats it.
  const stays = new Set(staying(applied.live, inputs));
  context.ledger.ownership.giveUp(keysOf(applied.live.filter((rule) => !stays.has(rule))), owner);
  const reasons = summaryOf(inputs.ipPolicyId, applied);
  // Nothing to keep: the engine then forgets the set, as it should.
  if (before === undefined && applied.live.length === 0 && !applied.isUnsettled)
    throw new UserError(reasons.join('\n'));
  throw new PartialFailure({ id, state, reasons });
}

const given = <Name extends string, T>(
  name: Name,
  value: T | undefined,
): Partial<Record<Name, Exclude<T, undefined>>> =>
  (value === undefined ? {} : { [name]: value }) as Partial<Record<Name, Exclude<T, undefined>>>;

/** An exclusive set owns every rule of its policy, so no other resource may. */
function requireNoOthers({ context, owner, inputs }: SetAtWork, leaving: readonly LiveRule[]): void {
  const { ownership } = context.ledger;
  const held = leaving.filter((rule) => ownership.isOwnedByOther(ruleKey(rule.id), owner));
  if (held.length > 0) throw exclusiveBesideOthers(inputs.ipPolicyId, held);
}

/** The rules that a set starts from: its own, and those in its way that it may take over. */
async function takeOver(set: Taking, own: readonly LiveRule[]): Promise<readonly LiveRule[]> {
  const { context, owner, inputs, wholePolicy } = set;
  const { client, ledger } = context;
  const { ipPolicyId, overwriteExisting = false } = inputs;
  const held = new Set(own.map(({ cidr }) => cidr));
  const missing = new Set(declaredRules(inputs).flatMap(({ cidr }) => (held.has(cidr) ? [] : [cidr])));
  if (!wholePolicy && (!overwriteExisting || missing.size === 0)) return own;
  const owned = new Set(own.map((rule) => rule.id));
  const { rules } = await accountRulesOf(client).anew(client.startOperation());
  const foreign = oldestFirst([...rules.values()])
    .filter((rule) => rule.ipPolicyId === ipPolicyId && !owned.has(rule.id))
    .filter((rule) => !ledger.ownership.isGone(ruleKey(rule.id)))
    .filter((rule) => wholePolicy || missing.has(rule.cidr));
  const busy = foreign.filter((rule) => ledger.isBusy(ruleKey(rule.id)));
  if (busy.length > 0) {
    // Other operations are changing these rules right now, so the list may be outdated.
    await Promise.all(busy.map((rule) => ledger.oneAtATime(ruleKey(rule.id), () => Promise.resolve())));
    return takeOver(set, own);
  }
  if (foreign.length > 0 && !overwriteExisting) throw holdsOthers(context.words, ipPolicyId, foreign);
  const taking = ledger.ownership.take(keysOf(foreign), owner);
  if (taking.outcome === 'declared') throw ruleDeclaredTwice(ruleIdOf(taking.key));
  if (taking.outcome === 'busy')
    throw new Blocked(
      () => Promise.resolve(ruleInTheWay(context.words, ruleIdOf(taking.key))),
      networksOf(foreign, inputs),
    );
  for (const rule of foreign) ledger.noteRule(rule.id);
  return [...own, ...foreign];
}

const inTurn = <T>({ ledger }: RunContext, ipPolicyId: string, work: () => Promise<T>): Promise<T> =>
  ledger.oneAtATime(`rule sets of ${ipPolicyId}`, work);

const oldestFirst = (rules: ServiceRule[]): ServiceRule[] =>
  rules.sort((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt));
