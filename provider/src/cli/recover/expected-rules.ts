import { liveRulesInState, type RulesInState } from '../../rule-set/rules-text';
import { declaredRules, type IpPolicyRuleSetInputs } from '../../rule-set/set-state';
import type { PolicyRule, ServiceRule } from '../../rule/rule';
import { type Deployment, type StateResource, withoutEnvelopes } from '../pulumi/deployment';
import { shortType } from '../pulumi/managed';
import type { RuleList } from './evidence';
import type { Operation } from './judged-operation';

/** A rule that an interrupted operation was supposed to create, as a single rule or as one of a set. */
export interface ExpectedRule {
  readonly operation: Operation;
  readonly wanted: PolicyRule;
  /** Whether a live rule can be brought in for it: it cannot if the state holds its resource already. */
  readonly isOpen: boolean;
}

/** The rules that an operation was supposed to create; none if it is not about rules. */
export function expectedRulesOf(
  operation: Operation,
  deployment: Deployment,
  list: RuleList,
): ExpectedRule[] {
  const isOpen = operation.type === 'updating' || !isInState(operation, deployment);
  if (isSet(operation)) {
    const inputs = operation.inputs as unknown as IpPolicyRuleSetInputs;
    const held =
      operation.type === 'updating' ? heldNetworks(entryOf(operation, deployment), list) : undefined;
    return declaredRules(inputs)
      .filter(({ cidr }) => held?.has(cidr) !== true)
      .map((rule) => ({ operation, wanted: { ...rule, ipPolicyId: inputs.ipPolicyId }, isOpen }));
  }
  return [{ operation, wanted: operation.inputs as unknown as PolicyRule, isOpen }];
}

/** The networks of the rules that are in the set's state and still live. */
function heldNetworks(entry: StateResource | undefined, { byId }: RuleList): Set<string> {
  const networks = notedRules(entry).flatMap(({ id }) => byId.get(id) ?? []);
  return new Set(networks.map(({ cidr }: ServiceRule) => cidr));
}

/** The rules of a set according to the state. */
export const notedRules = (entry: StateResource | undefined): ReturnType<typeof liveRulesInState> =>
  liveRulesInState(withoutEnvelopes(entry?.outputs ?? {}) as Partial<RulesInState>);

/** The live resource of the state with the name of an operation. */
export const entryOf = ({ resource }: Operation, { resources }: Deployment): StateResource | undefined =>
  resources.find(({ urn, delete: isDoomed }) => urn === resource.urn && isDoomed !== true);

/** An interrupted replacement is not in state: it carries the creation time of the resource that it replaces, which is there instead. */
export function isInState(operation: Operation, deployment: Deployment): boolean {
  const entry = entryOf(operation, deployment);
  return operation.resource.created === undefined && entry !== undefined && !entry.pendingReplacement;
}

/** Whether an operation is about a set of rules. */
export const isSet = ({ resource }: Operation): boolean => shortType(resource.type) === 'IpPolicyRuleSet';
