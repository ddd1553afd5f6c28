// IP policy rule (API document 2.1, 4.1)
//
//   create  POST   /ip_policy_rules        after a lost answer the rule is looked up; never sent again blindly
//   read    GET    /ip_policy_rules/{id}   404 = gone; one list for all, where a refresh reads many
//   update  PATCH  /ip_policy_rules/{id}   changed fields only; a removed text is sent as ""
//   delete  DELETE /ip_policy_rules/{id}   404 = done
import { checkFields } from '../fields/check';
import { diffFields } from '../fields/diff';
import type { Properties } from '../fields/field';
import type { Lifecycle } from './lifecycle';
import { rulePlace } from '../rule/rule';
import { ipPolicyRuleFields, type IpPolicyRuleInputs, type IpPolicyRuleState } from '../rule/rule-state';
import { ruleDeclaredTwice } from '../settle/create-failures';
import type { RunContext } from '../settle/ledger';
import type * as operationsModule from './ip-policy-rule-operations';
import { isUnknown } from '../values/unknowns';

// Loaded at the first operation: a preview, which only checks and compares, should not pay for it.
const operations = (): typeof operationsModule =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it with the lifecycle
  require('./ip-policy-rule-operations') as typeof operationsModule;

/** What a rule does at each step of its life. */
export const ipPolicyRuleLifecycle = (
  getContext: () => RunContext,
): Lifecycle<IpPolicyRuleInputs, IpPolicyRuleState> => ({
  check(olds, news) {
    const { ledger, words } = getContext();
    const checked = checkFields(ipPolicyRuleFields, olds, news, words.name);
    const { holdings } = ledger;
    holdings.activity.noteCheck();
    const place = placeIn(checked.inputs);
    if (place === undefined) return checked;
    const placeBefore = placeIn(olds);
    if (placeBefore === place) holdings.wants.noteKept(place);
    else holdings.wants.add(place);
    return checked;
  },

  diff(id, olds, news) {
    const { ledger } = getContext();
    ledger.noteRule(id);
    const outcome = diffFields(ipPolicyRuleFields, olds, news);
    const place = placeIn(news);
    if (outcome.replaces.length > 0 || place === undefined) return outcome;
    const anew = { changes: true, replaces: ['cidr'], deleteBeforeReplace: true };
    if (ledger.holdings.isGoneOrGoing(id)) return anew;
    const other = ledger.holdings.declare({ id, place, holder: id }, outcome.changes);
    if (other === undefined) return outcome;
    // Another resource has taken over what this one leaves: it starts over, and its delete keeps the rule.
    if (placeIn(olds) !== place && ledger.holdings.isProtected({ id, holder: id })) return anew;
    throw ruleDeclaredTwice(id);
  },

  create: (inputs) => operations().create(getContext(), inputs),
  read: (id, prior) => operations().read(getContext(), id, prior),
  update: (id, olds, news) => operations().update(getContext(), id, { olds, news }),
  delete: (id, olds) => operations().remove(getContext(), id, olds),
});

/** The place that inputs stand for, where they are known and right. */
function placeIn(inputs: object): string | undefined {
  const { cidr, action, ipPolicyId } = inputs as Properties;
  const isKnown = [cidr, action, ipPolicyId].every((value) => typeof value === 'string' && !isUnknown(value));
  return isKnown ? rulePlace(inputs as unknown as IpPolicyRuleInputs) : undefined;
}
