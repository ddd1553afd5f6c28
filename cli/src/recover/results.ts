import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { PROVIDER_KEY } from 'pulumi-edge-policy/internal/fields/field';
import { ipPolicyRuleSetDerived } from 'pulumi-edge-policy/internal/resources/ip-policy-rule-set';
import { nativeToken } from 'pulumi-edge-policy/internal/resources/provider-reference';
import { ipPolicyRuleState } from 'pulumi-edge-policy/internal/rule/rule-state';
import { withEnds } from 'pulumi-edge-policy/internal/rule-set/rule-ends';
import { rulesInState, type RulesInState } from 'pulumi-edge-policy/internal/rule-set/rules-text';
import { declaredRules, type IpPolicyRuleSetInputs } from 'pulumi-edge-policy/internal/rule-set/set-state';
import type { LiveRule } from 'pulumi-edge-policy/internal/rule/rule';
import { isSecret, secretInClear, type StateResource } from '../pulumi/deployment';
import { type Candidate, isSet, notedRules } from './expected-objects';
import type { Operation } from './interrupted-operations';

/** The id and outputs of a resource that is brought into the state. */
export interface Result {
  readonly id: string;
  readonly outputs: Readonly<Record<string, unknown>>;
}

/** What a create has made: one object, or some of the rules of a set, of which the next `up` creates the rest. */
export function resultOf(operation: Operation, found: readonly Candidate[]): Result {
  if (!isSet(operation)) {
    const [{ id, live }] = found as readonly [Candidate];
    const state = 'rule' in live ? ipPolicyRuleState(live.rule, operation.inputs) : live.module;
    return { id, outputs: outputsOf(operation, state) };
  }
  const state = rulesInState(liveRules(operation, found));
  const own = createHash('sha256').update(state.ruleIdList).digest('hex').slice(0, 12);
  return {
    id: `${String(operation.inputs['ipPolicyId'])}/${own}`,
    outputs: { ...operation.resource.inputs, ...inState(operation, state) },
  };
}

/** The outputs of a set with the rules that an update has created and not noted. */
export const outputsOfUpdate = (
  operation: Operation,
  entry: StateResource | undefined,
  found: readonly Candidate[],
): Result['outputs'] =>
  inState(operation, rulesInState([...notedRules(entry), ...liveRules(operation, found)]));

/** The found rules, each with the end that the set declares for it. */
const liveRules = ({ inputs }: Operation, found: readonly Candidate[]): readonly LiveRule[] =>
  withEnds(
    found.flatMap(({ live }) => ('rule' in live ? [live.rule] : [])),
    { declared: declaredRules(inputs as unknown as IpPolicyRuleSetInputs), before: [] },
  );

/**
 * The outputs of a live resource. Fields that are as declared are copied from the inputs, so that their secrets stay marked;
 * fields that were edited since are as they live.
 */
function outputsOf({ resource, inputs: declared }: Operation, state: object): Result['outputs'] {
  const { inputs = {} } = resource;
  const known = Object.entries(state).map(([key, live]: [string, unknown]) => {
    if (isDeepStrictEqual(declared[key], live)) return [key, inputs[key]] as const;
    return [key, isSecret(inputs[key]) ? secretInClear(live) : live] as const;
  });
  return { ...Object.fromEntries(known), [PROVIDER_KEY]: inputs[PROVIDER_KEY] };
}

/** The live rules in the form of the state, secret if the declaration is. */
function inState({ resource }: Operation, { rules, ruleIdList }: RulesInState): Result['outputs'] {
  const isHidden = isSecret(resource.inputs?.['rules']);
  const held = (value: unknown): unknown => (isHidden ? secretInClear(value) : value);
  const isNative = resource.type === nativeToken('IpPolicyRuleSet');
  return {
    rules: held(rules),
    ruleIdList,
    ...(isNative && { ruleList: held(ipPolicyRuleSetDerived.ruleList.of(rules)) }),
  };
}
