// The requests of an IP policy rule; how it is checked and compared is in `ip-policy-rule.ts`.
import type { Deadline } from '../api/clock';
import { serviceNowMs } from '../presence/service-times';
import { isAlreadyExists } from '../api/errors';
import { changedFields, inputsOf, type ReadOutcome } from '../fields/field';
import {
  isPartialFailure,
  isSettled,
  PartialFailure,
  type Settleable,
  unsettled,
} from '../errors/partial-failure';
import { messageForUser, UserError } from '../errors/user-error';
import { EngineCall } from '../run/ownership';
import { Blocked } from '../run/waiting';
import {
  changeOf,
  ipPolicyRuleFields,
  type IpPolicyRuleInputs,
  type IpPolicyRuleState,
  ipPolicyRuleState,
  isSameNetwork,
  networkKey,
  RULE_TEXTS,
  type RuleChange,
  type ServiceRule,
} from '../rule/rule';
import { notMoved } from '../run/create-failures';
import { changeInTurn, deleteUnlessOwned, mayStillGo, overwriting, takeOverRule } from '../run/claims';
import { createRule } from '../run/lost-create';
import {
  changeRule,
  findRule,
  readRule,
  removeRule,
  type SoughtRule,
  type WantedTexts,
} from '../presence/presence';
import type { Creation } from '../run/rule-search';
import type { RunContext } from '../run/run-record';
import { notAsDeclared, writeVerified } from '../presence/verified-write';

interface Existing {
  readonly id: string;
  readonly state: IpPolicyRuleState;
}

interface Change {
  readonly olds: IpPolicyRuleState & Settleable;
  readonly news: IpPolicyRuleInputs;
  readonly deadline: Deadline;
}

export function create(context: RunContext, inputs: IpPolicyRuleInputs): Promise<Existing> {
  const call = new EngineCall();
  const make = (): Promise<Existing> =>
    context.record.waiting.retry(context.client, call, (deadline) =>
      createOrTakeOver({ context, call, wanted: inputs, deadline }),
    );
  return overwriting({ context, call }, inputs.overwriteExisting === true ? [networkKey(inputs)] : [], make);
}

export async function read(
  { client, record }: RunContext,
  id: string,
  prior: Partial<IpPolicyRuleState>,
): Promise<ReadOutcome<IpPolicyRuleState> | undefined> {
  const deadline = client.startOperation();
  const { ipPolicyId, createdAt } = prior;
  const rule = await readRule({ client, id, ipPolicyId, deadline, createdAtLatest: createdAt });
  if (rule === undefined) return undefined;
  record.ownership.noteSeen(rule.id);
  const state = ipPolicyRuleState(rule, prior);
  return { id: rule.id, state, inputs: inputsOf(ipPolicyRuleFields, state) };
}

/** Changes the live rule once no other work on it is under way. */
export function update(
  context: RunContext,
  id: string,
  change: Omit<Change, 'deadline'>,
): Promise<IpPolicyRuleState> {
  const { record } = context;
  const call = new EngineCall();
  const left = isSameNetwork(change.olds, change.news) ? [] : [networkKey(change.olds)];
  return record.waiting.handOverDuring(call, left, () =>
    changeInTurn(context, { key: id, call, name: `IP policy rule ${id}` }, (deadline) =>
      updateRule(context, id, { ...change, deadline }),
    ),
  );
}

/** Deletes the rule, unless another resource of the program owns it by now. */
export async function remove(context: RunContext, id: string, olds: IpPolicyRuleState): Promise<void> {
  const { client, record } = context;
  const call = new EngineCall();
  try {
    await record.waiting.handOverDuring(call, [networkKey(olds)], () =>
      deleteUnlessOwned(context, { key: id, call }, (isStillDue) =>
        removeRule({
          client,
          id,
          createdAtLatest: olds.createdAt,
          deadline: client.startOperation(),
          isStillDue,
        }),
      ),
    );
  } catch (error) {
    throw mayStillGo(id, error);
  }
}

async function createOrTakeOver(
  creation: Creation & { readonly wanted: IpPolicyRuleInputs },
): Promise<Existing> {
  const { context, wanted: inputs, deadline } = creation;
  const existing = inputs.overwriteExisting === true ? await takeOverRule(creation) : undefined;
  const { id, ...rule } = existing ?? (await createRule(creation));
  const state = ipPolicyRuleState({ id, ...rule }, inputs);
  const differing = changedFields(ipPolicyRuleFields, state, inputs);
  if (differing.length === 0) return { id, state };
  if (existing === undefined) throw storedOtherwise(id, state, differing);
  return { id, state: await updateTaken(context, id, { olds: state, news: inputs, deadline }) };
}

/** This resource owns the rule from here on, even after a failure: the delete of its former resource sends nothing. */
async function updateTaken(context: RunContext, id: string, change: Change): Promise<IpPolicyRuleState> {
  try {
    return await updateRule(context, id, change);
  } catch (error) {
    if (isPartialFailure(error)) throw error;
    const state = openState(context, change.olds, change.news);
    throw new PartialFailure({ id, state, reasons: [messageForUser(error)] });
  }
}

async function updateRule(
  context: RunContext,
  id: string,
  { olds, news, deadline }: Change,
): Promise<IpPolicyRuleState> {
  const { client } = context;
  const { ipPolicyId, createdAt } = olds;
  const rule = { client, id, ipPolicyId, deadline, createdAtLatest: createdAt };
  const declared = changedFields(ipPolicyRuleFields, olds, news);
  // After a partial failure, or if nothing has changed, only the live rule shows what is left to do.
  const live = !isSettled(olds) || declared.length === 0 ? await existingRule(rule) : undefined;
  const names =
    live === undefined ? declared : changedFields(ipPolicyRuleFields, ipPolicyRuleState(live), news);
  if (live !== undefined && names.length === 0) return ipPolicyRuleState(live, news);
  const sent: string[] = [...names];
  const onSentAgain = (texts: readonly string[]) => sent.push(...texts);
  const outcome = await writeVerified({
    ...{ client, deadline },
    write: () => patchRule(rule, changeOf(names, news), { wanted: news, onSentAgain }),
    read: () => findRule(rule),
    differing: (live) => differingIn(sent, live, news),
  });
  if (outcome.isWritten) return ipPolicyRuleState(outcome.live, news);
  const state = outcome.live === undefined ? olds : ipPolicyRuleState(outcome.live);
  throw notAsDeclared({ id, outcome, state: openState(context, state, news) });
}

type ExistingRule = SoughtRule & Pick<RunContext, 'client'> & Pick<ServiceRule, 'ipPolicyId'>;

async function existingRule(sought: ExistingRule): Promise<ServiceRule> {
  const rule = await findRule(sought);
  if (rule === undefined) throw goneAtUpdate(sought.id);
  return rule;
}

async function patchRule(rule: ExistingRule, change: RuleChange, texts: WantedTexts): Promise<ServiceRule> {
  try {
    const changed = await changeRule(rule, change, texts);
    if (changed !== undefined) return changed;
  } catch (error) {
    const { cidr } = change;
    if (typeof cidr !== 'string' || !isAlreadyExists(error)) throw error;
    // The rule that holds the network may be about to be deleted.
    throw new Blocked(
      () => notMoved({ id: rule.id, cidr }, error),
      [networkKey({ ipPolicyId: rule.ipPolicyId, cidr })],
    );
  }
  throw goneAtUpdate(rule.id);
}

/** The sent fields that differ, and texts that the service may have cleared. Other edits of others stay. */
function differingIn(names: readonly string[], live: ServiceRule, news: IpPolicyRuleInputs): string[] {
  const cleared: readonly string[] = RULE_TEXTS.filter((name) => live[name] === undefined);
  return changedFields(ipPolicyRuleFields, ipPolicyRuleState(live), news).filter(
    (name) => names.includes(name) || cleared.includes(name),
  );
}

const storedOtherwise = (id: string, state: object, names: readonly string[]): PartialFailure =>
  new PartialFailure({
    id,
    state,
    reasons: [
      `${id} was created, but the service stored values that differ from those sent: ${names.join(', ')}.`,
    ],
  });

const goneAtUpdate = (id: string): UserError =>
  new UserError(
    `IP policy rule ${id} no longer exists. Run "pulumi refresh", then "pulumi up", which creates it again.`,
  );

const openState = (
  { client }: RunContext,
  state: IpPolicyRuleState,
  inputs: IpPolicyRuleInputs,
): IpPolicyRuleState & Settleable =>
  unsettled(state, { sinceMs: serviceNowMs(client), sent: inputsOf(ipPolicyRuleFields, inputs) });
