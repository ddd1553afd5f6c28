import { saysAlreadyExists } from '../api/errors';
import type { IpPolicyRuleCreateWire, IpPolicyRuleWire } from '../api/wire';
import { UserError } from '../lifecycle/user-error';
import { DECLARED_ALREADY, importRuleCommand, lookFirst, nameRule } from './adoption-advice';
import { type Creation, isSameNetwork, listRules } from './rule-search';

const describe = (body: IpPolicyRuleCreateWire): string =>
  `IP policy rule "${body.action} ${body.cidr}" of ${body.ip_policy_id}`;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'nothing');

/**
 * What to say of a create that the service refused because of another rule: which one, and how to bring it under
 * management. A refusal that only may mean this, and for which there is no rule, is passed on as it is.
 */
export async function alreadyExists(creation: Creation, refused: unknown): Promise<unknown> {
  const { body } = creation;
  // Without the list the sentence is shorter, and still true where the service said so itself.
  const existing = await listRules(creation, (rule) => isSameNetwork(rule, body)).catch(() => []);
  if (existing.length === 0 && !saysAlreadyExists(refused)) return refused;
  const named = existing.length === 0 ? '' : `: ${existing.map(nameRule).join(', ')}`;
  const isOwn = existing.some(({ id }) => creation.context.ledger.knowsRule(id));
  return new UserError(
    `${describe(body)} was not created, as the policy already has a rule for this CIDR${named}. ` +
      `${isOwn ? OWN_RULE_ADVICE : foreignRuleAdvice(body)}\nThe service said: ${messageOf(refused)}`,
  );
}

/** The rule is one that this run has seen in state: there is nothing to import. */
const OWN_RULE_ADVICE =
  `This stack manages that rule. If it is this resource's own, which is being replaced with deleteBeforeReplace: false, ` +
  `leave that option out: the service refuses two rules for one CIDR. If another resource of this program declares it, ` +
  `remove one of the two; if one declared it before this change, set overwriteExisting: true to take its rule over.`;

const foreignRuleAdvice = ({ ip_policy_id, cidr }: IpPolicyRuleCreateWire): string =>
  `If another resource of this program declares it, remove one of the two; if one declared it before this change, set ` +
  `overwriteExisting: true to take its rule over. To manage a rule of somebody else's, import it: ` +
  `${importRuleCommand(ip_policy_id, cidr)} (${DECLARED_ALREADY})`;

/** Two resources of one program stand for one live rule. */
export const ruleDeclaredTwice = (id: string): UserError =>
  new UserError(
    `IP policy rule ${id} belongs to two resources of this program: deleting one would delete the rule of the other. ` +
      `Remove one of the two from the program; its delete then keeps the rule.`,
  );

/** The network that an update is to bring is that of another rule, which nobody gives up in time. */
export const notMoved = (
  moved: { readonly id: string; readonly cidr: string },
  refused: unknown,
): UserError =>
  new UserError(
    `IP policy rule ${moved.id} was not moved to ${moved.cidr}, as the policy already has a rule for this CIDR. If this ` +
      `change removes the resource of that rule: the engine deletes last. Give this resource a new name and set ` +
      `overwriteExisting: true; it then takes the other rule over, which stays live.\nThe service said: ${messageOf(refused)}`,
  );

/** The policy holds more than one rule for the network that a create was to take over. */
export const severalExisting = (
  body: IpPolicyRuleCreateWire,
  existing: readonly IpPolicyRuleWire[],
): UserError =>
  new UserError(
    `${describe(body)} cannot take over an existing rule, as the policy holds several for this CIDR: ` +
      `${existing.map(nameRule).join(', ')}. Delete the ones that are not wanted.`,
  );

/** The answer was lost and more than one rule could be what was created, or one that may have been there before. */
export const severalCandidates = (
  body: IpPolicyRuleCreateWire,
  candidates: readonly IpPolicyRuleWire[],
): UserError =>
  new UserError(
    `The answer to the create of ${describe(body)} was lost, and it is not sure which rule is it: ` +
      `${candidates.map(nameRule).join(', ')}. Delete the ones that are not wanted, or import the one to keep: ` +
      importRuleCommand(body.ip_policy_id, body.cidr),
  );

/** The answer was lost, and what became of the rule cannot be found out. */
export const outcomeUnknown = (body: IpPolicyRuleCreateWire, cause: unknown): UserError =>
  new UserError(
    `Outcome unknown: ${describe(body)} may exist in policy ${body.ip_policy_id} with CIDR ${body.cidr}, ` +
      `as the answer to its create was lost and it could not be looked up. ` +
      `${lookFirst(body.ip_policy_id)}\nThe last failure: ${messageOf(cause)}`,
  );
