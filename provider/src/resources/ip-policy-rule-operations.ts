// What the operations on an IP policy rule send; how it is checked and compared is in `ip-policy-rule.ts`.
import { isAlreadyExists } from '../api/errors';
import { patchOf } from '../fields/bodies';
import { changedFields } from '../fields/field';
import { inputsOf, type ReadOutcome } from '../fields/outputs';
import { isPartialFailure, PartialFailure } from '../errors/partial-failure';
import { messageForUser, UserError } from '../errors/user-error';
import { type RuleChange, rulePlace, type ServiceRule } from '../rule/rule';
import {
  ipPolicyRuleFields,
  type IpPolicyRuleInputs,
  ipPolicyRuleState,
  type IpPolicyRuleState,
} from '../rule/rule-state';
import { notMoved, ruleDeclaredTwice } from '../settle/create-failures';
import { giveUp } from '../settle/give-up';
import { createRule } from '../settle/lost-create';
import { changeRule, findRule, removeRule, type SoughtRule } from '../settle/presence';
import { sharedListOf } from '../settle/shared-list';
import { takeOverRule } from '../settle/take-over';
import type { RunContext } from '../settle/ledger';
import { notAsDeclared, writeVerified } from '../settle/verified-write';

interface Existing {
  readonly id: string;
  readonly state: IpPolicyRuleState;
}

interface Change {
  readonly olds: IpPolicyRuleState;
  readonly news: IpPolicyRuleInputs;
}

/** Creates a rule, or takes over the one that is there. */
export function create(context: RunContext, inputs: IpPolicyRuleInputs): Promise<Existing> {
  return context.ledger.holdings.fulfil(rulePlace(inputs), () => createOrTakeOver(context, inputs));
}

/** Reads the live rule; none is answered where the service says that it is gone. */
export async function read(
  { client, ledger }: RunContext,
  id: string,
  prior: Partial<IpPolicyRuleState>,
): Promise<ReadOutcome<IpPolicyRuleState> | undefined> {
  const deadline = client.startOperation();
  const { ipPolicyId, createdAt } = prior;
  const rule = await sharedListOf(client).find({ id, ipPolicyId, deadline, createdAt });
  if (rule === undefined) return undefined;
  ledger.noteRule(rule.id);
  const state = ipPolicyRuleState(rule, prior);
  return { id: rule.id, state, inputs: inputsOf(ipPolicyRuleFields, state) };
}

/** Changes the live rule, once nothing else is under way with it. */
export async function update(context: RunContext, id: string, change: Change): Promise<IpPolicyRuleState> {
  const { ledger } = context;
  const { olds, news } = change;
  ledger.noteRule(id);
  const place = rulePlace(news);
  const work = (): Promise<IpPolicyRuleState> =>
    ledger.oneAtATime(id, () => {
      ledger.holdings.hold({ id, place, holder: id });
      return updateRule(context, id, change);
    });
  if (place === rulePlace(olds)) return ledger.holdings.activity.during(work);
  return ledger.holdings.fulfil(place, async () => {
    // Another entry of state may hold the rule too, and its resource keep it where it is.
    if (ledger.holdings.isHeldElsewhere(id, place)) throw ruleDeclaredTwice(id);
    return moveRule(context, { id, place, cidr: news.cidr }, work);
  });
}

/** Deletes the rule, unless another resource of the program manages it by now. */
export async function remove(context: RunContext, id: string, olds: IpPolicyRuleState): Promise<void> {
  const { client, ledger, warn } = context;
  ledger.noteRule(id);
  const claim = { id, place: rulePlace(olds), holder: id };
  const outcome = await ledger.holdings.activity.during(() =>
    giveUp(context, claim, (isLeaving) =>
      removeRule({ client, id, createdAt: olds.createdAt, deadline: client.startOperation(), isLeaving }),
    ),
  );
  if (outcome === 'kept') warn(`Kept IP policy rule ${id}: another resource of this program manages it.`);
}

async function createOrTakeOver(context: RunContext, inputs: IpPolicyRuleInputs): Promise<Existing> {
  const creation = {
    context,
    wanted: inputs,
    deadline: context.client.startOperation(),
  };
  const existing = inputs.overwriteExisting === true ? await takeOverRule(creation) : undefined;
  const { rule, isTakenOver } =
    existing === undefined ? await createRule(creation) : { rule: existing, isTakenOver: true };
  const state = ipPolicyRuleState(rule, inputs);
  const differing = changedFields(ipPolicyRuleFields, state, inputs);
  if (differing.length === 0) return { id: rule.id, state };
  if (!isTakenOver) throw storedOtherwise(rule.id, state, differing);
  return { id: rule.id, state: await updateTaken(context, rule.id, { olds: state, news: inputs }) };
}

/** Whatever happens from here on, the rule belongs to this resource: the former one has released it. */
async function updateTaken(context: RunContext, id: string, change: Change): Promise<IpPolicyRuleState> {
  try {
    return await updateRule(context, id, change);
  } catch (error) {
    if (isPartialFailure(error)) throw error;
    const state = unsettledState(undefined, change.olds);
    throw new PartialFailure({ id, state, reasons: [messageForUser(error)] });
  }
}

async function updateRule(
  { client }: RunContext,
  id: string,
  { olds, news }: Change,
): Promise<IpPolicyRuleState> {
  const deadline = client.startOperation();
  const { ipPolicyId, createdAt } = olds;
  const rule = { client, id, ipPolicyId, deadline, createdAt };
  const declared = changedFields(ipPolicyRuleFields, olds, news);
  // After a partial failure, or asked for an update without a change, only the live rule tells what is left to do.
  const live = olds.isUnsettled || declared.length === 0 ? await existingRule(rule) : undefined;
  const names =
    live === undefined ? declared : changedFields(ipPolicyRuleFields, ipPolicyRuleState(live), news);
  if (live !== undefined && names.length === 0) return ipPolicyRuleState(live, news);
  const outcome = await writeVerified({
    write: () => patchRule(rule, patchOf(ipPolicyRuleFields, names, news)),
    read: () => findRule(rule),
    differing: (live) => differingIn(names, live, news),
  });
  if (outcome.isWritten) return ipPolicyRuleState(outcome.live, news);
  throw notAsDeclared({ id, outcome, state: unsettledState(outcome.live, olds) });
}

/** An update to another network. Where the service refuses it beside the rule that is there, that one has to go first. */
async function moveRule<T>(
  { client, ledger, warn, words }: RunContext,
  moved: { readonly id: string; readonly place: string; readonly cidr: string },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    if (await ledger.holdings.clear(moved.place, { clock: client.clock, warn })) return work();
    throw notMoved(words, moved, error);
  }
}

type ExistingRule = SoughtRule & Pick<RunContext, 'client'>;

async function existingRule(sought: ExistingRule): Promise<ServiceRule> {
  const rule = await findRule(sought);
  if (rule === undefined) throw goneAtUpdate(sought.id);
  return rule;
}

async function patchRule(rule: ExistingRule, change: RuleChange): Promise<ServiceRule> {
  const changed = await changeRule(rule, change);
  if (changed === undefined) throw goneAtUpdate(rule.id);
  return changed;
}

const differingIn = (names: readonly string[], live: ServiceRule, news: IpPolicyRuleInputs): string[] =>
  changedFields(ipPolicyRuleFields, ipPolicyRuleState(live), news).filter((name) => names.includes(name));

const storedOtherwise = (id: string, state: object, names: readonly string[]): PartialFailure =>
  new PartialFailure({
    id,
    state,
    reasons: [
      `${id} was created, but the service stored values other than those sent for: ${names.join(', ')}.`,
    ],
  });

const goneAtUpdate = (id: string): UserError =>
  new UserError(
    `IP policy rule ${id} no longer exists. Run "pulumi refresh", then "pulumi up" creates it again.`,
  );

/** What is known after a write whose outcome is open: the live rule, or what state held before. */
const unsettledState = (live: ServiceRule | undefined, olds: IpPolicyRuleState): IpPolicyRuleState => ({
  ...(live === undefined ? olds : ipPolicyRuleState(live)),
  isUnsettled: true,
});
