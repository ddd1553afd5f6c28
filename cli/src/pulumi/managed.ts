import { liveKey, typeOfToken } from 'pulumi-edge-policy/internal/resources/provider-reference';
import { ruleFields } from 'pulumi-edge-policy/internal/rule/rule';
import { parseIdList } from 'pulumi-edge-policy/internal/rule-set/rules-text';
import {
  type Deployment,
  keepsSecret,
  SHOWN_SECRET,
  type StateResource,
  withoutEnvelopes,
} from './deployment';

/** Whether a resource of a state is one of this package, with either host. */
export const isOwn = ({ type }: Pick<StateResource, 'type'>): boolean => typeOfToken(type) !== undefined;

/** The type of one of our resources, without the part that all of them share. */
export const shortType = (type: string): string => typeOfToken(type) ?? type;

/** Whether a resource is a rule, or a set of rules. */
export const isOfRules = ({ type }: Pick<StateResource, 'type'>): boolean =>
  shortType(type).startsWith('IpPolicyRule');

/** Whether a resource manages what it names: `get` only reads, and of what a replacement has already deleted only the name is left. */
export const isManaged = (
  resource: Pick<StateResource, 'type' | 'external' | 'pendingReplacement'>,
): boolean => isOwn(resource) && resource.external !== true && resource.pendingReplacement !== true;

/** The live objects that a stack manages: their keys (see `liveKey`), each with its resource. */
export const managersOf = ({ resources }: Pick<Deployment, 'resources'>): Map<string, StateResource> =>
  new Map(
    resources
      .filter(isManaged)
      .flatMap((resource) => liveIdsOf(resource).map((key) => [key, resource] as const)),
  );

/** The values of a live object without those that its resource keeps secret. A set keeps its rules as one text. */
export function withoutSecretsOf<T extends object>(manager: StateResource, live: T): T {
  const areRulesSecret = keepsSecret(manager, 'rules');
  const isSecret = (name: string): boolean =>
    keepsSecret(manager, name) || (areRulesSecret && name in ruleFields && name !== 'ipPolicyId');
  return Object.fromEntries(
    Object.entries(live).map(([name, value]) => [name, isSecret(name) ? SHOWN_SECRET : (value as unknown)]),
  ) as T;
}

/** The live objects of a resource: a set has rules, and no object of its own on the service. */
export function liveIdsOf(resource: Pick<StateResource, 'type' | 'id' | 'outputs'>): string[] {
  const type = typeOfToken(resource.type);
  if (type === undefined) return [];
  if (type !== 'IpPolicyRuleSet') return resource.id === undefined ? [] : [liveKey(type, resource.id)];
  const list = withoutEnvelopes(resource.outputs?.['ruleIdList']);
  return typeof list === 'string' ? parseIdList(list) : [];
}
