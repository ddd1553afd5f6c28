import { Blocked } from './patience';
import { isSameNetwork, networkKey, type ServiceRule } from '../rule/rule';
import { ruleDeclaredTwice, ruleInTheWay, severalExisting } from './create-failures';
import { removeRule } from './presence';
import type { Creation } from './rule-search';
import { accountRulesOf } from './account-rules';

/**
 * Makes a call the owner of live rules: of all, or of none.
 *
 * @throws UserError if another resource of this program owns one of them.
 * @throws Blocked if another resource is about to change or delete one.
 */
export function takeRules(
  { context: { ledger }, owner }: Pick<Creation, 'context' | 'owner'>,
  rules: readonly ServiceRule[],
): void {
  if (rules.length === 0) return;
  const taking = ledger.ownership.take(
    rules.map(({ id }) => id),
    owner,
  );
  if (taking.outcome === 'owned') throw ruleDeclaredTwice(taking.key);
  if (taking.outcome === 'busy') throw new Blocked(() => ruleInTheWay(taking.key), rules.map(networkKey));
  for (const { id } of rules) ledger.noteRule(id);
}

/**
 * Takes over the rule that the policy already holds for a network, texts included. A rule with the other action cannot be
 * changed in place: it is deleted, and the create goes on as if there had been none.
 *
 * @throws UserError if another resource of this program owns the rule, or if there are several.
 * @throws Blocked if another resource is about to change or delete it.
 */
export async function takeOverRule(taking: Creation): Promise<ServiceRule | undefined> {
  const { context, wanted, deadline } = taking;
  const { ledger, client } = context;
  const { rules } = await accountRulesOf(client).anew(deadline);
  const existing = [...rules.values()].filter((rule) => isSameNetwork(rule, wanted));
  const [rule, ...others] = existing;
  if (rule === undefined) return undefined;
  if (others.length > 0) throw severalExisting(wanted, existing);
  return ledger.oneAtATime(rule.id, async () => {
    // Since the list was read, another resource of this run may have deleted the rule, such as a set that changes its action.
    if (ledger.ownership.isDeletedHere(rule.id)) return undefined;
    takeRules(taking, existing);
    if (rule.action === wanted.action) return rule;
    try {
      await removeRule({ client, id: rule.id, createdAtLatest: rule.createdAt, deadline });
    } catch (error) {
      ledger.ownership.withdraw([rule.id]);
      ledger.ownership.failDelete(rule.id);
      throw error;
    }
    ledger.ownership.noteDeleted(rule.id);
    return undefined;
  });
}
