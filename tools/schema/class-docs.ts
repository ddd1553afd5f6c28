import { type AnyField, fieldsOf } from '../../provider/src/fields/field';
import type { ResourceType } from '../../provider/src/resources/provider-reference';
import { registry } from '../../provider/src/resources/registry';
import { type Docs, docsOf } from './docstrings';

/** The file of each resource's class and arguments. */
export const CLASS_FILES: Readonly<Record<ResourceType, string>> = {
  IpPolicyRule: 'program/ip-policy-rule.ts',
  IpPolicyRuleSet: 'program/ip-policy-rule-set.ts',
  TcpEdgeTrafficPolicyModule: 'program/tcp-edge-traffic-policy-module.ts',
  HttpsEdgeRouteUserAgentFilterModule: 'program/https-edge-route-user-agent-filter-module.ts',
};

export const argumentDocs = (type: ResourceType): Docs => docsOf(CLASS_FILES[type], `${type}Args`);

/** The docstring of a property, by its name. */
export function saidOf(type: ResourceType): (name: string) => string {
  const [docs, args] = [docsOf(CLASS_FILES[type], type), argumentDocs(type)];
  return (name) => docs.members.get(name) ?? args.members.get(name) ?? '';
}

/** The fields that programs read. */
export const shownFields = (type: ResourceType): [name: string, field: AnyField][] =>
  fieldsOf(registry[type].shape().fields).filter(([, { onChange }]) => onChange !== 'settings-only');
