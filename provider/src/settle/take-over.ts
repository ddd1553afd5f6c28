import type { IpPolicyRuleCreateWire, IpPolicyRuleWire } from '../api/wire';
import { canonicalCidr } from '../values/cidr';
import { ruleDeclaredTwice, severalExisting } from './create-failures';
import { rulePlace } from './holdings';
import { findRule, removeRule } from './presence';
import { type Creation, isSameNetwork, listRules } from './rule-search';

type Taking = Omit<Creation, 'startedAtMs'>;

/** The place of the rule that a create body asks for. */
export const placeOfBody = (body: IpPolicyRuleCreateWire): string =>
  rulePlace(body.ip_policy_id, { action: body.action, cidr: canonicalCidr(body.cidr) ?? body.cidr });

/**
 * Takes over the rule that another resource of this run is about to delete, if there is one: it stays live. Its texts are
 * those of before; writing the declared ones is left to the caller.
 */
export async function takeOverOffered(
  taking: Taking,
  holder?: string,
): Promise<IpPolicyRuleWire | undefined> {
  const { context, body, deadline } = taking;
  const { holdings } = context.ledger;
  const place = placeOfBody(body);
  const offer = holdings.offerAt(place);
  if (offer === undefined) return undefined;
  return context.ledger.oneAtATime(offer.id, async () => {
    // Its resource may have stopped waiting, or somebody else may have been faster.
    if (holdings.offerAt(place) !== offer || holdings.isProtected(offer)) return undefined;
    const live = await findRule(context.client, offer.id, deadline);
    if (live?.action !== body.action || !isSameNetwork(live, body)) return undefined;
    // Asked anew: the engine may have named another resource of the same rule meanwhile.
    if (holdings.isProtected(offer)) return undefined;
    holdings.hold({ ...offer, holder: holder ?? offer.id });
    return live;
  });
}

/**
 * Takes over the rule that the policy already holds for a network, with the texts that it has. One with the other action
 * cannot be changed in place: it is deleted, and the create goes on as if there had been none.
 *
 * @throws UserError where another resource of this program stands for the rule, or where there are several.
 */
export async function takeOverRule(taking: Taking): Promise<IpPolicyRuleWire | undefined> {
  const { context, body, deadline } = taking;
  const { holdings } = context.ledger;
  // Whatever else stands for the rule is to be known before it is taken.
  await holdings.settleRegistrations(context.client.clock);
  if (holdings.offerAt(placeOfBody(body)) !== undefined) return undefined;
  const existing = await listRules(taking, (rule) => isSameNetwork(rule, body));
  const [rule, ...others] = existing;
  if (rule === undefined) return undefined;
  if (others.length > 0) throw severalExisting(body, existing);
  return context.ledger.oneAtATime(rule.id, async () => {
    const hold = holdings.holdOf(rule.id);
    // A rule that its resource moves to another network in this run is not in the way for long.
    if (hold !== undefined && hold.place !== placeOfBody(body)) return undefined;
    if (hold !== undefined) throw ruleDeclaredTwice(rule.id);
    if (rule.action !== body.action) {
      await removeRule({ client: context.client, id: rule.id, createdAt: undefined, deadline });
      return undefined;
    }
    context.ledger.noteRule(rule.id);
    holdings.hold({ id: rule.id, place: placeOfBody(body), holder: rule.id });
    return rule;
  });
}
