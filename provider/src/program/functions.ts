import type * as pulumi from './sdk';
import { type IpPolicyRuleResult, lookUpRule, lookUpRules } from '../resources/look-ups';
import { nativeToken } from '../resources/provider-reference';
import {
  functionOf,
  type LookUp,
  type LookUpFunction,
  type LookUpOptions,
  type LookUpOutputFunction,
  type LookUpOutputOptions,
  type OutputArgs,
  outputFunctionOf,
} from './looking-up';

export type { IpPolicyRuleResult as GetIpPolicyRuleResult } from '../resources/look-ups';

/** The rule that {@link getIpPolicyRule} returns. */
export interface GetIpPolicyRuleArgs {
  /** The id of the rule, `ipr_…`. */
  readonly id: string;
}

/** The rules that {@link listIpPolicyRules} returns; both conditions must hold. */
export interface ListIpPolicyRulesArgs {
  /** Only rules of this IP policy, `ipp_…`. Default: all policies of the account. */
  readonly ipPolicyId?: string | undefined;
  /** Only rules with this action. Default: both. */
  readonly action?: 'allow' | 'deny' | undefined;
}

const oneRule: LookUp<GetIpPolicyRuleArgs, IpPolicyRuleResult> = {
  token: nativeToken('getIpPolicyRule'),
  ask: lookUpRule,
};
const manyRules: LookUp<ListIpPolicyRulesArgs, IpPolicyRuleResult[]> = {
  token: nativeToken('listIpPolicyRules'),
  ask: lookUpRules,
  listIn: 'rules',
};

/**
 * Reads one IP policy rule.
 *
 * @throws Error if the service has no such rule or does not respond. Like every function, it also throws if the settings of
 * the provider are not known during a preview.
 */
export const getIpPolicyRule: LookUpFunction<GetIpPolicyRuleArgs, IpPolicyRuleResult> = functionOf(oneRule);

/** Lists all IP policy rules of the account in the order of the service, newest first. */
export const listIpPolicyRules = (
  args: ListIpPolicyRulesArgs = {},
  opts?: LookUpOptions,
): Promise<IpPolicyRuleResult[]> => functionOf(manyRules)(args, opts);

/** {@link getIpPolicyRule} for arguments that are outputs of other resources. */
export const getIpPolicyRuleOutput: LookUpOutputFunction<GetIpPolicyRuleArgs, IpPolicyRuleResult> =
  outputFunctionOf(oneRule);

/** {@link listIpPolicyRules} for arguments that are outputs of other resources. */
export const listIpPolicyRulesOutput = (
  args: OutputArgs<ListIpPolicyRulesArgs> = {},
  opts?: LookUpOutputOptions,
): pulumi.Output<IpPolicyRuleResult[]> => outputFunctionOf(manyRules)(args, opts);
