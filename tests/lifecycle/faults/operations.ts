import { SECRET_INPUTS_KEY } from '../../../provider/src/fields/field';
import type { ResourceType } from '../../../provider/src/resources/provider-reference';
import type { Bag } from '../../support/host';
import { policyId } from '../../support/ids';
import { moduleSamples } from '../../support/module-samples';
import type { Declaration } from '../../support/stand-in-engine';

export type Verb = 'create' | 'look' | 'read' | 'update' | 'delete' | 'list';

/** One step of a resource's life, and the request that a fault hits in it. */
export interface Operation {
  readonly resource: ResourceType;
  readonly verb: Verb;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly successStatus: number;
}

const operation = (
  resource: ResourceType,
  verb: Verb,
  request: readonly [Operation['method'], string, number],
): Operation => {
  const [method, path, successStatus] = request;
  return { resource, verb, method, path, successStatus };
};

const oneRule = '/ip_policy_rules/{id}';

const ruleOperations: readonly Operation[] = [
  operation('IpPolicyRule', 'create', ['POST', '/ip_policy_rules', 201]),
  operation('IpPolicyRule', 'read', ['GET', oneRule, 200]),
  operation('IpPolicyRule', 'update', ['PATCH', oneRule, 200]),
  operation('IpPolicyRule', 'delete', ['DELETE', oneRule, 204]),
  operation('IpPolicyRule', 'list', ['GET', '/ip_policy_rules', 200]),
];

const moduleOperations = (resource: ResourceType, path: string): readonly Operation[] => [
  operation(resource, 'look', ['GET', path, 200]),
  operation(resource, 'create', ['PUT', path, 200]),
  operation(resource, 'read', ['GET', path, 200]),
  operation(resource, 'update', ['PUT', path, 200]),
  operation(resource, 'delete', ['DELETE', path, 204]),
];

/** Every operation of every resource; the list stands under the rules. A create of a module looks before it writes. */
export const operations: readonly Operation[] = [
  ...ruleOperations,
  ...moduleSamples.flatMap(({ type, kind }) => moduleOperations(type, kind.path)),
];

/** What the program declares before and after the operation under test; the canary is a secret of the user. */
export const declarations = (
  resource: ResourceType,
  canary: string,
): { readonly first: Declaration; readonly changed: Declaration } => {
  const declared = (inputs: Bag): Declaration => {
    const secrets = Object.keys(inputs).filter((name) => JSON.stringify(inputs[name]).includes(canary));
    return { type: resource, name: 'it', inputs: { ...inputs, [SECRET_INPUTS_KEY]: secrets } };
  };
  const pair = (first: Bag, change: Bag) => ({
    first: declared(first),
    changed: declared({ ...first, ...change }),
  });
  const module = moduleSamples.find(({ type }) => type === resource);
  if (module !== undefined) return pair(module.inputs(canary), module.change(canary));
  const rule = { cidr: '10.0.0.0/8', action: 'deny', ipPolicyId: policyId };
  return pair({ ...rule, description: canary }, { cidr: '10.0.0.0/9', metadata: `${canary} again` });
};
