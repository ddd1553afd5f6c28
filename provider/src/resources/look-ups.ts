// The look-ups behind the functions, called by a program directly or by the engine on behalf of one.
import type { ApiClient } from '../api/client';
import { fieldsOf, type Properties } from '../fields/field';
import { identifierIn } from '../values/identifiers';
import { requireIdentifier, UserError } from '../errors/user-error';
import { type IpPolicyRuleState, ipPolicyRuleState } from '../rule/rule';
import { accountRulesOf } from '../presence/account-rules';
import { findRule } from '../presence/presence';
import { noObject } from './known-account';
import { liveModule, moduleIdOf, type ModuleKind, noModule } from './module-kind';

/** A rule as the functions return it. */
export interface IpPolicyRuleResult extends IpPolicyRuleState {
  /** The id of the rule, `ipr_…`. */
  readonly id: string;
}

/** Which rules to list; both conditions must hold. */
export interface RuleConditions {
  readonly ipPolicyId?: string | undefined;
  readonly action?: 'allow' | 'deny' | undefined;
}

export async function lookUpRule(client: ApiClient, { id }: { id: string }): Promise<IpPolicyRuleResult> {
  requireIdentifier(id, 'ipPolicyRule');
  const rule = await findRule({ client, id, deadline: client.startOperation() });
  if (rule === undefined) throw new UserError(`${noObject('IpPolicyRule', id)}.`);
  return { id: rule.id, ...ipPolicyRuleState(rule) };
}

/** The rules of the account that meet the conditions, all pages. The policy may also be the id of a set. */
export async function lookUpRules(
  client: ApiClient,
  { ipPolicyId: policyOrSetId, action }: RuleConditions,
): Promise<IpPolicyRuleResult[]> {
  const ipPolicyId = policyOrSetId && identifierIn(policyOrSetId, 'ipPolicy');
  if (ipPolicyId !== undefined) requireIdentifier(ipPolicyId, 'ipPolicy');
  const rules = await accountRulesOf(client).anew(client.startOperation());
  return rules
    .ofPolicies(ipPolicyId === undefined ? undefined : [ipPolicyId])
    .filter((rule) => action === undefined || rule.action === action)
    .map((rule) => ({ id: rule.id, ...ipPolicyRuleState(rule) }));
}

/** In plain JSON, where state has a policy in lines. Each id may also be given as that of the module. */
export async function lookUpModule<Live extends object>(
  kind: ModuleKind<Live>,
  client: ApiClient,
  inputs: object,
): Promise<Live> {
  const identity = fieldsOf(kind.fields).map(([name, { identifies }]) => {
    const given = (inputs as Properties)[name];
    return [name, identifies && typeof given === 'string' ? identifierIn(given, identifies) : given];
  });
  const id = moduleIdOf(kind, Object.fromEntries(identity) as Properties) ?? '';
  const live = await liveModule(kind, client, id);
  if (live === undefined) throw new UserError(`${noModule(kind, id)}.`);
  return live;
}
