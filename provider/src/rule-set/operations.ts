// What a set does at each step of its life. Sets of one policy take turns: they would wait for each other's look-ups.
import { randomBytes } from 'node:crypto';
import { withoutAbsent } from '../fields/field';
import type { ReadOutcome } from '../fields/outputs';
import { PartialFailure } from '../errors/partial-failure';
import { requireIdentifier, UserError } from '../errors/user-error';
import type { LiveRule, ServiceRule } from '../rule/rule';
import { ruleDeclaredTwice } from '../settle/create-failures';
import { latestServiceNowMs, serviceTimeMs } from '../settle/service-times';
import { readWholeList, sharedListOf } from '../settle/shared-list';
import type { RunContext } from '../settle/ledger';
import { applyPlan, type Applied } from './apply';
import { holdsOthers, notDeleted, summaryOf } from './failures';
import { offerLeavingRules, settleOffers, together, type HandOver, type SetAtWork } from './hand-over';
import { findManaged } from './live-rules';
import { planChanges } from './plan';
import { liveRulesInState } from './rules-text';
import {
  declaredRules,
  ruleSetState,
  type IpPolicyRuleSetInputs,
  type IpPolicyRuleSetState,
} from './set-state';
import { announcedAs, claimOf } from './claims';
import { unsettledText, withLostCreates } from './unsettled';

/** Creates the rules of a new set. */
export function createSet(
  context: RunContext,
  inputs: IpPolicyRuleSetInputs,
): Promise<{ id: string; state: IpPolicyRuleSetState }> {
  return context.ledger.holdings.fulfil(announcedAs(inputs), async () => {
    // Several sets may share a policy, and an id should stand for one resource only.
    const id = `${inputs.ipPolicyId}/${randomBytes(6).toString('hex')}`;
    const set = { context, id, inputs, changedAt: undefined };
    await settleRegistrations(context, inputs, []);
    const applied = await inTurn(context, inputs.ipPolicyId, async () => {
      const live = await takeOver({ ...set, wholePolicy: inputs.exclusive }, []);
      return makeLive({ ...set, live });
    });
    return { id, state: stateOrFailure({ ...set, applied }) };
  });
}

/** Makes the live rules of a set into the declared ones. */
export function updateSet(
  context: RunContext,
  id: string,
  { olds, news }: { olds: IpPolicyRuleSetState; news: IpPolicyRuleSetInputs },
): Promise<IpPolicyRuleSetState> {
  return context.ledger.holdings.fulfil(announcedAs(news), async () => {
    const set = { context, id, inputs: news, changedAt: olds.changedAt };
    const managed = await notGone(context, liveRulesInState(olds));
    for (const rule of managed) context.ledger.noteRule(rule.id);
    const declared = new Set(declaredRules(news).map(({ cidr }) => cidr));
    const leaving = managed.filter(({ cidr }) => !declared.has(cidr));
    await settleRegistrations(context, news, leaving);
    const handOver = offerLeavingRules(set, leaving);
    const isNewlyExclusive = news.exclusive && !olds.exclusive;
    const applied = await inTurn(context, news.ipPolicyId, async () => {
      const settled = await withLostCreates(context, { id, olds, declared: declaredRules(news), managed });
      const own = handOver.without(settled);
      return makeLive({ ...set, live: await takeOver({ ...set, wholePolicy: isNewlyExclusive }, own) });
    });
    const all = { ...applied, ...together(applied, await finishHandOver(set, handOver, applied)) };
    return stateOrFailure({ ...set, applied: all, isKnown: true });
  });
}

/** Rules in state that this run has not deleted for another resource, once those deletes that are under way have ended. */
async function notGone({ ledger }: RunContext, rules: readonly LiveRule[]): Promise<readonly LiveRule[]> {
  const { holdings } = ledger;
  const going = rules.filter(({ id }) => holdings.isGoneOrGoing(id));
  await Promise.all(going.map(({ id }) => ledger.oneAtATime(id, () => Promise.resolve())));
  return rules.filter(({ id }) => !holdings.isGone(id));
}

/**
 * Reads what is live of a set. An exclusive one, and one that is looked up or imported by the id of its policy, stands for all
 * rules of it; to go on owning the whole policy is for the program to say. A set is never gone: where all its rules are, it is
 * empty.
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
  const ids = liveRulesInState(prior).map((rule) => rule.id);
  const list = await sharedListOf(client).whole(deadline);
  const managed = await findManaged({ client, deadline, ipPolicyId, ids, changedAt: prior.changedAt }, list);
  const known = new Set(ids);
  const others = [...list.rules.values()].filter((rule) => isWhole && !known.has(rule.id));
  const live = [...managed, ...oldestFirst(others)].filter((rule) => rule.ipPolicyId === ipPolicyId);
  for (const rule of live) ledger.noteRule(rule.id);
  const settings = {
    ipPolicyId,
    exclusive: prior.exclusive ?? false,
    ...given('overwriteExisting', prior.overwriteExisting),
    ...given('changedAt', prior.changedAt),
    ...given('unsettledSince', prior.unsettledSince),
    ...given('unsettledRules', prior.unsettledRules),
  };
  const state = ruleSetState(settings, live);
  const { rules, exclusive, overwriteExisting } = state;
  return { id, state, inputs: withoutAbsent({ ipPolicyId, rules, exclusive, overwriteExisting }) };
}

/** Deletes what is left of a set: allows first, so that the policy does not open up on the way. */
export function deleteSet(context: RunContext, id: string, olds: IpPolicyRuleSetState): Promise<void> {
  const { ipPolicyId } = olds;
  return context.ledger.holdings.activity.during(async () => {
    // What an exclusive set does not declare is not its own, so others may take it over.
    const set = { context, id, inputs: { ...olds, exclusive: false }, changedAt: olds.changedAt };
    const managed = liveRulesInState(olds);
    for (const rule of managed) context.ledger.noteRule(rule.id);
    await settleRegistrations(context, set.inputs, managed);
    const handOver = offerLeavingRules(set, managed);
    const applied = await inTurn(context, ipPolicyId, async () => {
      const settled = await withLostCreates(context, { id, olds, declared: [], managed });
      return removeAll(set, handOver.without(settled));
    });
    const all = together(applied, await finishHandOver(set, handOver, applied));
    if (all.failures.length > 0) throw notDeleted(ipPolicyId, all);
  });
}

/** Deletes rules without looking for them first: the answer to the delete of one that is gone says so. */
const removeAll = (
  { context, id, inputs: { ipPolicyId }, changedAt }: SetAtWork,
  live: readonly LiveRule[],
): Promise<Applied> =>
  applyPlan({ context, holder: id, ipPolicyId, changedAt, plan: planChanges(live, []), declared: [], live });

/**
 * Deletes the rules that nobody has taken over, once that is known. After a failure they stay: an allow that was to go may still
 * be there, and a deny among them keeps its addresses out.
 */
async function finishHandOver(set: SetAtWork, handOver: HandOver, { failures }: Applied): Promise<Applied> {
  const { context, inputs } = set;
  const hasFailed = failures.length > 0;
  if (hasFailed) context.ledger.holdings.activity.noteFailure();
  const outcome = await settleOffers(set, handOver);
  const applied = await inTurn(context, inputs.ipPolicyId, () =>
    removeAll(set, hasFailed ? [] : outcome.free),
  );
  return {
    ...applied,
    live: [...applied.live, ...outcome.kept, ...(hasFailed ? outcome.free : [])],
    failures: [...applied.failures, ...outcome.failures],
  };
}

async function makeLive({
  context,
  id,
  inputs,
  changedAt,
  live,
}: SetAtWork & { live: readonly LiveRule[] }): Promise<Timed> {
  const startedAtMs = context.client.clock.monotonicMs();
  const declared = declaredRules(inputs);
  const plan = planChanges(live, declared);
  const applied = await applyPlan({
    context,
    holder: id,
    ipPolicyId: inputs.ipPolicyId,
    changedAt,
    plan,
    declared,
    live,
  });
  return { ...applied, startedAtMs };
}

/** What was applied, and since when (milliseconds of our monotonic clock) its effects may have happened. */
type Timed = Applied & { readonly startedAtMs: number };

/** The state of a set after it was worked on; throws what was left undone. */
function stateOrFailure({
  context,
  id,
  inputs,
  applied,
  changedAt,
  isKnown = false,
}: SetAtWork & {
  readonly applied: Timed;
  /** Whether state holds the set already. */
  readonly isKnown?: boolean;
}): IpPolicyRuleSetState {
  const { client } = context;
  const now = new Date(latestServiceNowMs(client)).toISOString();
  // Only now, as the run's own answers are what tells how the clocks differ.
  const since = new Date(serviceTimeMs(client, applied.startedAtMs)).toISOString();
  const settings = {
    ...inputs,
    // A create whose answer was lost may have made a rule as well.
    ...given('changedAt', applied.hasCreated || applied.isUnsettled ? now : changedAt),
    ...given('unsettledSince', applied.isUnsettled ? since : undefined),
    ...given('unsettledRules', applied.isUnsettled ? unsettledText(applied.lost) : undefined),
  };
  const state = ruleSetState(settings, applied.live);
  if (applied.failures.length === 0) return state;
  const reasons = summaryOf(inputs.ipPolicyId, applied);
  // Nothing to keep: the engine then forgets the set, as it should.
  if (!isKnown && applied.live.length === 0 && !applied.isUnsettled) throw new UserError(reasons.join('\n'));
  throw new PartialFailure({ id, state, reasons });
}

/** Whatever else stands for the rules, or is going to, must be known before they are taken over or left. */
async function settleRegistrations(
  { ledger, client }: RunContext,
  { exclusive, overwriteExisting }: IpPolicyRuleSetInputs,
  leaving: readonly LiveRule[],
): Promise<void> {
  const mayTakeOver = exclusive || overwriteExisting === true;
  if (mayTakeOver || leaving.length > 0) await ledger.holdings.activity.settleRegistrations(client.clock);
}

const given = <Name extends string, T>(
  name: Name,
  value: T | undefined,
): Partial<Record<Name, Exclude<T, undefined>>> =>
  (value === undefined ? {} : { [name]: value }) as Partial<Record<Name, Exclude<T, undefined>>>;

/** The rules that a set is to start from: its own, and those in its way that it may take over. */
async function takeOver(
  set: SetAtWork & {
    /** Whether the set is about to own all rules of its policy, and not only those of the networks that it declares. */
    readonly wholePolicy: boolean;
  },
  own: readonly LiveRule[],
): Promise<readonly LiveRule[]> {
  const { context, id: holder, inputs, wholePolicy } = set;
  const { client, ledger } = context;
  const { ipPolicyId, overwriteExisting = false } = inputs;
  const held = new Set(own.map(({ cidr }) => cidr));
  const missing = new Set(declaredRules(inputs).flatMap(({ cidr }) => (held.has(cidr) ? [] : [cidr])));
  if (!wholePolicy && (!overwriteExisting || missing.size === 0)) return own;
  const owned = new Set(own.map(({ id }) => id));
  const { rules } = await readWholeList(client, client.startOperation());
  const foreign = oldestFirst([...rules.values()])
    .filter(
      ({ id, ...rule }) => rule.ipPolicyId === ipPolicyId && !owned.has(id) && !ledger.holdings.isGone(id),
    )
    .filter((rule) => wholePolicy || missing.has(rule.cidr));
  const busy = foreign.filter(({ id }) => ledger.isBusy(id));
  if (busy.length > 0) {
    // Something is done to these rules right now: what the list says of them is old.
    await Promise.all(busy.map(({ id }) => ledger.oneAtATime(id, () => Promise.resolve())));
    return takeOver(set, own);
  }
  const shared = foreign.find(({ id, cidr }) => {
    if (ledger.holdings.otherHolder({ id, holder }) === undefined) return false;
    // A rule that its resource moves to another network in this run is not in the way for long.
    return wholePolicy || ledger.holdings.holdOf(id)?.place.endsWith(` ${cidr}`);
  });
  if (shared !== undefined) throw ruleDeclaredTwice(shared.id);
  if (foreign.length > 0 && !overwriteExisting) throw holdsOthers(context.words, ipPolicyId, foreign);
  const taken = foreign.filter(({ id }) => ledger.holdings.otherHolder({ id, holder }) === undefined);
  for (const rule of taken) {
    ledger.holdings.hold(claimOf(holder, ipPolicyId, rule));
    ledger.noteRule(rule.id);
  }
  return [...own, ...taken];
}

const inTurn = <T>({ ledger }: RunContext, ipPolicyId: string, work: () => Promise<T>): Promise<T> =>
  ledger.oneAtATime(`rule sets of ${ipPolicyId}`, work);

const oldestFirst = (rules: ServiceRule[]): ServiceRule[] =>
  rules.sort((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt));
