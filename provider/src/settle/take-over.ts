import { isSameNetwork, rulePlace, type ServiceRule } from '../rule/rule';
import { ruleDeclaredTwice, severalExisting } from './create-failures';
import { findRule, removeRule } from './presence';
import { type Creation, listRules } from './rule-search';

type Taking = Omit<Creation, 'startedAtMs'>;

/**
 * Takes over the rule that another resource of this run is about to delete, if there is one: it stays live. Its texts are
 * those of before; writing the declared ones is left to the caller.
 */
export async function takeOverOffered(taking: Taking, holder?: string): Promise<ServiceRule | undefined> {
  const { context, wanted, deadline } = taking;
  const { holdings } = context.ledger;
  const place = rulePlace(wanted);
  const offer = holdings.offerAt(place);
  if (offer === undefined) return undefined;
  return context.ledger.oneAtATime(offer.id, async () => {
    // Its resource may have stopped waiting, or somebody else may have been faster.
    if (holdings.offerAt(place) !== offer || holdings.isProtected(offer)) return undefined;
    const live = await findRule({ client: context.client, id: offer.id, deadline });
    if (live?.action !== wanted.action || !isSameNetwork(live, wanted)) return undefined;
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
export async function takeOverRule(taking: Taking): Promise<ServiceRule | undefined> {
  const { context, wanted, deadline } = taking;
  const { holdings } = context.ledger;
  // Whatever else stands for the rule is to be known before it is taken.
  await holdings.activity.settleRegistrations(context.client.clock);
  if (holdings.offerAt(rulePlace(wanted)) !== undefined) return undefined;
  const existing = await listRules(taking, (rule) => isSameNetwork(rule, wanted));
  const [rule, ...others] = existing;
  if (rule === undefined) return undefined;
  if (others.length > 0) throw severalExisting(wanted, existing);
  return context.ledger.oneAtATime(rule.id, async () => {
    // Since the list was read, another resource of this run may have deleted the rule, as a set does that changes its action.
    if (holdings.isGone(rule.id)) return undefined;
    const hold = holdings.holdOf(rule.id);
    // A rule that its resource moves to another network in this run is not in the way for long.
    if (hold !== undefined && hold.place !== rulePlace(wanted)) return undefined;
    if (hold !== undefined) throw ruleDeclaredTwice(rule.id);
    if (rule.action !== wanted.action) {
      await removeRule({ client: context.client, id: rule.id, createdAt: undefined, deadline });
      return undefined;
    }
    context.ledger.noteRule(rule.id);
    holdings.hold({ id: rule.id, place: rulePlace(wanted), holder: rule.id });
    return rule;
  });
}
