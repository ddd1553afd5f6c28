// IP policy rule (API document 2.1, 4.1)
//
//   create  POST   /ip_policy_rules        after a lost answer the rule is looked up; never sent again blindly
//   read    GET    /ip_policy_rules/{id}   404 = gone
//   update  PATCH  /ip_policy_rules/{id}   changed fields only; a removed text is sent as ""
//   delete  DELETE /ip_policy_rules/{id}   404 = done
import { isAlreadyExists } from '../api/errors';
import { patchOf } from '../fields/bodies';
import { changedFields, type FieldTable, type Properties } from '../fields/field';
import { settingField } from '../fields/kinds';
import { checkFields } from '../fields/check';
import { diffFields } from '../fields/diff';
import type { Lifecycle } from './lifecycle';
import { inputsOf, keepEqualText } from '../fields/outputs';
import { isPartialFailure, PartialFailure } from '../errors/partial-failure';
import { messageForUser, UserError } from '../errors/user-error';
import { type PolicyRule, type RuleChange, ruleFields, rulePlace, type ServiceRule } from '../rule/rule';
import { notMoved, ruleDeclaredTwice } from '../settle/create-failures';
import { giveUp } from '../settle/give-up';
import { createRule } from '../settle/lost-create';
import { findRule, isRuleGone, lookWhileYoung, removeRule, type SoughtRule } from '../settle/presence';
import { sharedListOf } from '../settle/shared-list';
import { takeOverRule } from '../settle/take-over';
import type { RunContext } from '../settle/ledger';
import { notAsDeclared, writeVerified } from '../settle/verified-write';
import { isUnknown } from '../values/unknowns';

/** The inputs of a rule with all values known. */
export interface IpPolicyRuleInputs extends PolicyRule {
  readonly overwriteExisting?: boolean;
}

/** What state holds of a rule. */
export interface IpPolicyRuleState extends IpPolicyRuleInputs {
  readonly uri: string;
  readonly createdAt: string;
  /** Set after an update whose outcome could not be learned: the next update compares with the live rule. */
  readonly isUnsettled?: true;
}

/** Every field of the resource, said once. */
export const ipPolicyRuleFields: FieldTable<IpPolicyRuleInputs> = {
  ...ruleFields,
  overwriteExisting: settingField,
};

/** What state holds of a rule beside its fields, which the service decides at its creation. */
export const ipPolicyRuleOutputs = { uri: [], createdAt: [] } as const;

/** The state of a live rule. */
export const ipPolicyRuleState = ({ id: _id, ...live }: ServiceRule, prior: object = {}): IpPolicyRuleState =>
  keepEqualText(ipPolicyRuleFields, prior, live);

/** What a rule does at each step of its life. */
export const ipPolicyRuleLifecycle = (
  getContext: () => RunContext,
): Lifecycle<IpPolicyRuleInputs, IpPolicyRuleState> => ({
  check(olds, news) {
    const checked = checkFields(ipPolicyRuleFields, olds, news);
    const { holdings } = getContext().ledger;
    holdings.activity.noteCheck();
    const place = placeIn(checked.inputs);
    if (place === undefined) return checked;
    const placeBefore = placeIn(olds);
    if (placeBefore === place) holdings.noteKept(place);
    else holdings.want(place);
    return checked;
  },

  diff(id, olds, news) {
    const { ledger } = getContext();
    ledger.noteRule(id);
    const outcome = diffFields(ipPolicyRuleFields, olds, news);
    const place = placeIn(news);
    if (outcome.replaces.length > 0 || place === undefined) return outcome;
    const anew = { changes: true, replaces: ['cidr'], deleteBeforeReplace: true };
    if (ledger.holdings.isGone(id)) return anew;
    const other = ledger.holdings.declare({ id, place, holder: id }, outcome.changes);
    if (other === undefined) return outcome;
    if (placeIn(olds) === place) throw ruleDeclaredTwice(id);
    // Another resource has taken over what this one leaves: it begins anew, and its delete keeps the rule.
    return anew;
  },

  async create(inputs) {
    const context = getContext();
    return context.ledger.holdings.fulfil(rulePlace(inputs), () => createOrTakeOver(context, inputs));
  },

  async read(id, prior) {
    const { client, ledger } = getContext();
    const deadline = client.startOperation();
    const rule = await lookWhileYoung({ client, deadline, createdAt: prior.createdAt }, () =>
      sharedListOf(client).find({ id, deadline, createdAt: prior.createdAt }),
    );
    if (rule === undefined) return undefined;
    ledger.noteRule(rule.id);
    const state = ipPolicyRuleState(rule, prior);
    return { id: rule.id, state, inputs: inputsOf(ipPolicyRuleFields, state) };
  },

  async update(id, olds, news) {
    const context = getContext();
    const { ledger } = context;
    ledger.noteRule(id);
    const place = rulePlace(news);
    const work = (): Promise<IpPolicyRuleState> =>
      ledger.oneAtATime(id, () => {
        ledger.holdings.hold({ id, place, holder: id });
        return updateRule(context, id, { olds, news });
      });
    if (place === rulePlace(olds)) return ledger.holdings.activity.during(work);
    return ledger.holdings.fulfil(place, () => moveRule(context, { id, place, cidr: news.cidr }, work));
  },

  async delete(id, olds) {
    const context = getContext();
    const { client, ledger, warn } = context;
    ledger.noteRule(id);
    const claim = { id, place: rulePlace(olds), holder: id };
    const outcome = await ledger.holdings.activity.during(() =>
      giveUp(context, claim, (isLeaving) =>
        removeRule({ client, id, createdAt: olds.createdAt, deadline: client.startOperation(), isLeaving }),
      ),
    );
    if (outcome === 'kept') warn(`Kept IP policy rule ${id}: another resource of this program manages it.`);
  },
});

async function createOrTakeOver(
  context: RunContext,
  inputs: IpPolicyRuleInputs,
): Promise<{ id: string; state: IpPolicyRuleState }> {
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
async function updateTaken(
  context: RunContext,
  id: string,
  change: { olds: IpPolicyRuleState; news: IpPolicyRuleInputs },
): Promise<IpPolicyRuleState> {
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
  { olds, news }: { olds: IpPolicyRuleState; news: IpPolicyRuleInputs },
): Promise<IpPolicyRuleState> {
  const deadline = client.startOperation();
  const rule = { client, id, deadline, createdAt: olds.createdAt };
  const declared = changedFields(ipPolicyRuleFields, olds, news);
  // After a partial failure, or asked for an update without a change, only the live rule tells what is left to do.
  const live = olds.isUnsettled || declared.length === 0 ? await existingRule(rule) : undefined;
  const names =
    live === undefined ? declared : changedFields(ipPolicyRuleFields, ipPolicyRuleState(live), news);
  if (live !== undefined && names.length === 0) return ipPolicyRuleState(live, news);
  const outcome = await writeVerified({
    write: () => patchRule(rule, patchOf(ipPolicyRuleFields, names, news)),
    read: () => findRule(rule),
    isWritten: (live) => !differsIn(names, live, news),
  });
  if (outcome.isWritten) return ipPolicyRuleState(outcome.live, news);
  throw notAsDeclared({ id, outcome, state: unsettledState(outcome.live, olds) });
}

/** An update to another network. Where the service refuses it beside the rule that is there, that one has to go first. */
async function moveRule<T>(
  { client, ledger, warn }: RunContext,
  moved: { readonly id: string; readonly place: string; readonly cidr: string },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    if (await ledger.holdings.clear(moved.place, { clock: client.clock, warn })) return work();
    throw notMoved(moved, error);
  }
}

/** The place that inputs stand for, where they are known and right. */
function placeIn(inputs: object): string | undefined {
  const { cidr, action, ipPolicyId } = inputs as Properties;
  const isKnown = [cidr, action, ipPolicyId].every((value) => typeof value === 'string' && !isUnknown(value));
  return isKnown ? rulePlace(inputs as unknown as IpPolicyRuleInputs) : undefined;
}

type ExistingRule = SoughtRule & Pick<RunContext, 'client'>;

async function existingRule(sought: ExistingRule): Promise<ServiceRule> {
  const rule = await findRule(sought);
  if (rule === undefined) throw goneAtUpdate(sought.id);
  return rule;
}

async function patchRule(rule: ExistingRule, change: RuleChange): Promise<ServiceRule> {
  try {
    return await rule.client.updateIpPolicyRule(rule.id, change, rule.deadline);
  } catch (error) {
    if (await isRuleGone(error, rule)) throw goneAtUpdate(rule.id);
    throw error;
  }
}

const differsIn = (names: readonly string[], live: ServiceRule, news: IpPolicyRuleInputs): boolean =>
  changedFields(ipPolicyRuleFields, ipPolicyRuleState(live), news).some((name) => names.includes(name));

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
