// What a set does at each step of its life. Sets of one policy take turns: they would wait for each other's look-ups.
import { randomBytes } from 'node:crypto';
import type { IpPolicyRuleWire } from '../api/wire';
import type { ReadOutcome } from '../lifecycle/lifecycle';
import { PartialFailure } from '../lifecycle/partial-failure';
import { withoutAbsent } from '../lifecycle/properties';
import { UserError } from '../lifecycle/user-error';
import { sharedListOf } from '../settle/shared-list';
import type { Tools } from '../settle/tools';
import { readWholeList } from '../settle/whole-list';
import { applyPlan, type Applied } from './apply';
import { capped, listOf } from './failures';
import { findManaged, serviceNowMs, type Managed } from './live-rules';
import { planChanges } from './plan';
import { liveRule, type LiveRule } from './rule';
import { liveRulesInState } from './rules-text';
import {
  declaredRules,
  ruleSetState,
  type IpPolicyRuleSetInputs,
  type IpPolicyRuleSetState,
} from './set-state';
import { withLostCreates } from './unsettled';

/** Creates the rules of a new set. */
export function createSet(
  tools: Tools,
  inputs: IpPolicyRuleSetInputs,
): Promise<{ id: string; state: IpPolicyRuleSetState }> {
  return inTurn(tools, inputs.ipPolicyId, async () => {
    const live = await takeOver(tools, inputs, []);
    // Several sets may share a policy, and an id should stand for one resource only.
    const id = `${inputs.ipPolicyId}/${randomBytes(6).toString('hex')}`;
    return { id, state: await makeLive({ tools, id, inputs, live, isNew: true }) };
  });
}

/** Makes the live rules of a set into the declared ones. */
export function updateSet(
  tools: Tools,
  id: string,
  { olds, news }: { olds: IpPolicyRuleSetState; news: IpPolicyRuleSetInputs },
): Promise<IpPolicyRuleSetState> {
  return inTurn(tools, news.ipPolicyId, async () => {
    const managed = liveRulesInState(olds);
    for (const rule of managed) tools.ledger.noteRule(rule.id);
    const settled =
      olds.unsettledSince === undefined ? managed : await withLostCreates(tools, { olds, news, managed });
    const live = news.exclusive && !olds.exclusive ? await takeOver(tools, news, settled) : settled;
    return makeLive({ tools, id, inputs: news, live, isNew: false, changedAt: olds.changedAt });
  });
}

/**
 * Reads what is live of a set. An exclusive one, and one that is only looked up, stands for all rules of its policy. A set
 * is never gone: where all its rules are, it is empty.
 */
export async function readSet(
  tools: Tools,
  id: string,
  prior: Partial<IpPolicyRuleSetState>,
): Promise<ReadOutcome<IpPolicyRuleSetState>> {
  const { client, ledger } = tools;
  const deadline = client.startOperation();
  const ipPolicyId = prior.ipPolicyId ?? id.split('/', 1)[0] ?? id;
  const isWhole = prior.exclusive ?? prior.rules === undefined;
  const ids = liveRulesInState(prior).map((rule) => rule.id);
  const list = await sharedListOf(client).whole(deadline);
  const managed = await findManaged({ client, deadline, ids, changedAt: prior.changedAt }, list);
  const known = new Set(ids);
  const others = [...list.rules.values()].filter((rule) => isWhole && !known.has(rule.id));
  const live = [...managed, ...oldestFirst(others)].filter((rule) => rule.ip_policy.id === ipPolicyId);
  for (const rule of live) ledger.noteRule(rule.id);
  const settings = {
    ipPolicyId,
    exclusive: isWhole,
    ...given('overwriteExisting', prior.overwriteExisting),
    ...given('changedAt', prior.changedAt),
    ...given('unsettledSince', prior.unsettledSince),
  };
  const state = ruleSetState(settings, live.map(liveRule));
  const { rules, exclusive, overwriteExisting } = state;
  return { id, state, inputs: withoutAbsent({ ipPolicyId, rules, exclusive, overwriteExisting }) };
}

/** Deletes what is left of a set: allows first, so that the policy does not open up on the way. */
export function deleteSet(tools: Tools, olds: IpPolicyRuleSetState): Promise<void> {
  const { ipPolicyId } = olds;
  return inTurn(tools, ipPolicyId, async () => {
    const managed = liveRulesInState(olds).filter(({ id }) => !tools.ledger.isRuleTakenOver(id));
    for (const { id } of managed) tools.ledger.noteRule(id);
    const live = managed.length === 0 ? [] : await refreshed(tools, managed, olds.changedAt);
    const applied = await applyPlan({ tools, ipPolicyId, plan: planChanges(live, []), live });
    if (applied.failures.length > 0) throw new UserError(summaryOf(ipPolicyId, applied).join('\n'));
  });
}

interface Making {
  readonly tools: Tools;
  readonly id: string;
  readonly inputs: IpPolicyRuleSetInputs;
  readonly live: readonly LiveRule[];
  readonly isNew: boolean;
  readonly changedAt?: string | undefined;
}

async function makeLive({
  tools,
  id,
  inputs,
  live,
  isNew,
  changedAt,
}: Making): Promise<IpPolicyRuleSetState> {
  const { ipPolicyId } = inputs;
  const startedAt = new Date(serviceNowMs(tools.client)).toISOString();
  const applied = await applyPlan({
    tools,
    ipPolicyId,
    plan: planChanges(live, declaredRules(inputs)),
    live,
  });
  const now = new Date(serviceNowMs(tools.client)).toISOString();
  const settings = {
    ...inputs,
    ...given('changedAt', applied.hasCreated ? now : changedAt),
    ...given('unsettledSince', applied.isUnsettled ? startedAt : undefined),
  };
  const state = ruleSetState(settings, applied.live);
  if (applied.failures.length === 0) return state;
  const reasons = summaryOf(ipPolicyId, applied);
  // Nothing to keep: the engine then forgets the set, as it should.
  if (isNew && applied.live.length === 0 && !applied.isUnsettled) throw new UserError(reasons.join('\n'));
  throw new PartialFailure({ id, state, reasons });
}

const given = <Name extends string, T>(
  name: Name,
  value: T | undefined,
): Partial<Record<Name, Exclude<T, undefined>>> =>
  (value === undefined ? {} : { [name]: value }) as Partial<Record<Name, Exclude<T, undefined>>>;

const summaryOf = (ipPolicyId: string, { doneCount, totalCount, failures }: Applied): string[] => [
  `The rule set of ${ipPolicyId} is not as declared: ${doneCount} of ${totalCount} requests done, ` +
    `${failures.length} failed. State holds what is live; the next "pulumi up" does only the rest.`,
  ...capped(failures),
];

/** The rules that a set is to start from, besides its own: those in its way that it may take over. */
async function takeOver(
  { client, ledger }: Tools,
  inputs: IpPolicyRuleSetInputs,
  own: readonly LiveRule[],
): Promise<readonly LiveRule[]> {
  const { ipPolicyId, exclusive, overwriteExisting = false } = inputs;
  if (!exclusive && !overwriteExisting) return own;
  const owned = new Set(own.map(({ id }) => id));
  const declared = new Set(declaredRules(inputs).map(({ cidr }) => cidr));
  const { rules } = await readWholeList(client, client.startOperation());
  const foreign = oldestFirst([...rules.values()])
    .filter((rule) => rule.ip_policy.id === ipPolicyId && !owned.has(rule.id))
    .map(liveRule)
    .filter((rule) => exclusive || declared.has(rule.cidr));
  if (foreign.length > 0 && !overwriteExisting) throw holdsOthers(ipPolicyId, foreign);
  for (const { id } of foreign) {
    ledger.noteTakenOverRule(id);
    ledger.noteRule(id);
  }
  return [...own, ...foreign];
}

const holdsOthers = (ipPolicyId: string, foreign: readonly LiveRule[]): UserError =>
  new UserError(
    `${ipPolicyId} already holds ${foreign.length} rules that an exclusive set would remove or change, and nothing was ` +
      `changed: ${listOf(foreign)}. Set overwriteExisting: true to let the set take the policy over, import them ` +
      `(npx edge-policy import --policy ${ipPolicyId} --as set --run), or set exclusive: false to leave them alone.`,
  );

async function refreshed(
  { client }: Tools,
  managed: readonly LiveRule[],
  changedAt: string | undefined,
): Promise<LiveRule[]> {
  const deadline = client.startOperation();
  const look: Managed = { client, deadline, ids: managed.map(({ id }) => id), changedAt };
  return (await findManaged(look, await readWholeList(client, deadline))).map(liveRule);
}

const inTurn = <T>({ ledger }: Tools, ipPolicyId: string, work: () => Promise<T>): Promise<T> =>
  ledger.oneAtATime(`rule sets of ${ipPolicyId}`, work);

const oldestFirst = (rules: IpPolicyRuleWire[]): IpPolicyRuleWire[] =>
  rules.sort((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at));
