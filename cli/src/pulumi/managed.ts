import { liveKey, typeOfToken } from 'pulumi-edge-policy/internal/resources/provider-reference';
import { parseIdList } from 'pulumi-edge-policy/internal/rule-set/rules-text';
import { type Deployment, type StateResource, withoutEnvelopes } from './deployment';

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

/** The live objects that a stack manages: their keys (see `liveKey`), each with the URN of its resource. */
export function managedIds({ resources }: Deployment): Map<string, string> {
  const managed = new Map<string, string>();
  for (const resource of resources) {
    if (!isManaged(resource)) continue;
    for (const id of liveIdsOf(resource)) managed.set(id, resource.urn);
  }
  return managed;
}

/** The live objects of a resource: a set has rules, and no object of its own on the service. */
export function liveIdsOf(resource: Pick<StateResource, 'type' | 'id' | 'outputs'>): string[] {
  const type = typeOfToken(resource.type);
  if (type === undefined) return [];
  if (type !== 'IpPolicyRuleSet') return resource.id === undefined ? [] : [liveKey(type, resource.id)];
  const list = withoutEnvelopes(resource.outputs?.['ruleIdList']);
  return typeof list === 'string' ? parseIdList(list) : [];
}
