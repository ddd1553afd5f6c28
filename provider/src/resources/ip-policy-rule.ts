// IP policy rule (API document 2.1, 4.1)
//
//   create  POST    /ip_policy_rules       after a lost response the rule is looked up; never sent again blindly
//   read    GET     /ip_policy_rules/{id}  404 = gone; a refresh of many reads one list for all
//   update  PATCH   /ip_policy_rules/{id}  changed fields only; a removed text is sent as ""
//   delete  DELETE  /ip_policy_rules/{id}  404 = done
import { checkFields } from '../fields/check';
import { diffFields } from '../fields/field';
import type { Lifecycle } from './lifecycle';
import { sameCidr } from '../values/cidr';
import { ipPolicyRuleFields, type IpPolicyRuleInputs, type IpPolicyRuleState } from '../rule/rule';
import { ruleDeclaredTwice } from '../run/create-failures';
import type { RunContext } from '../run/run-record';
import { isUnknown } from '../values/unknowns';
import type * as ipPolicyRuleOperationsModule from './ip-policy-rule-operations';

// Loaded at the first operation, so that a preview, which only checks and compares, does not pay for it.
const operations = () => require('./ip-policy-rule-operations') as typeof ipPolicyRuleOperationsModule;

export const ipPolicyRuleLifecycle = (
  getContext: () => RunContext,
): Lifecycle<IpPolicyRuleInputs, IpPolicyRuleState> => ({
  check: (olds, news) => checkFields(ipPolicyRuleFields, olds, news),

  diff(id, olds, news, isDeclared) {
    const { record } = getContext();
    record.ownership.noteSeen(id);
    const outcome = diffFields(ipPolicyRuleFields, olds, news);
    if (!isDeclared || outcome.replaces.length > 0) return outcome;
    const { shared, isAnyDeleted } = record.ownership.declare([id], outcome);
    // Another resource owns the rule at its old network. This one is replaced at the new network, and its delete sends nothing.
    const isLeft = mayChangeNetwork(olds, news) && record.ownership.isOwnedByOther(id);
    if (shared === undefined && !isAnyDeleted && !isLeft) return outcome;
    if (shared !== undefined && !isLeft) throw ruleDeclaredTwice(id);
    if (shared === undefined) record.ownership.release([id]);
    return { changes: true, replaces: ['cidr'], deleteBeforeReplace: true };
  },

  create: (inputs) => operations().create(getContext(), inputs),
  read: (id, prior) => operations().read(getContext(), id, prior),
  update: (id, olds, news) => operations().update(getContext(), id, { olds, news }),
  delete: (id, olds) => operations().remove(getContext(), id, olds),
});

/** At a preview the network may be unknown. */
function mayChangeNetwork(olds: object, news: object): boolean {
  const [before, after] = [olds as IpPolicyRuleState, news as IpPolicyRuleInputs];
  return isUnknown(after.cidr) || !sameCidr(before.cidr, after.cidr);
}
