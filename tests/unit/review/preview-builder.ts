import { readDeclaration } from '../../../provider/src/rule-set/declared-rules';
import { providerReference, type ResourceType } from '../../../provider/src/resources/provider-reference';
import type { PreviewDocument, StackChange } from '../../../review/src';
import { readPreviewDocument, readStackState, resourceChanges, stackChangeOf } from '../../../review/src';
import type { StackState } from '../../../review/src/preview/stack-state';
import { rule } from './inputs';

/** A resource of a made-up preview: the type, the name, and its inputs before and after. */
export interface MadeResource {
  /** One of ours by its name, any other one by its token. */
  readonly type: ResourceType | 'AccessAssertions' | `${string}:${string}`;
  readonly name: string;
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
  readonly op?: string;
  /** More of the old state, and of the new one: several entries of one name are several steps of one resource. */
  readonly state?: Readonly<Record<string, unknown>>;
  readonly newState?: Readonly<Record<string, unknown>>;
  /** More of the step itself. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/** The JSON of a preview of these resources, in the shape in which the CLI prints it. */
export function previewText(resources: readonly MadeResource[]): string {
  return JSON.stringify({ steps: resources.map(toStep), duration: 1, changeSummary: {} });
}

/** The preview, parsed. */
export const previewOf = (...resources: MadeResource[]): PreviewDocument =>
  readPreviewDocument(previewText(resources));

/** The sides of the change, as the parts of a review get them. */
export const stackOf = (...resources: MadeResource[]): StackChange =>
  stackChangeOf(resourceChanges(previewOf(...resources).steps));

function toStep(
  { type, name, before, after, op, state, newState, more }: MadeResource,
  index: number,
): unknown {
  const token = type.includes(':')
    ? type
    : `${isResource(type) ? 'pulumi-nodejs:dynamic/edge-policy' : 'edge-policy:index'}:${type}`;
  const urn = `urn:pulumi:dev::acme::${token}::${name}`;
  const side = (inputs: Readonly<Record<string, unknown>>) => ({
    urn,
    custom: type !== 'AccessAssertions',
    type: token,
    inputs: isResource(type) ? { __provider: providerReference(type), ...asChecked(inputs) } : inputs,
    sourcePosition: `project:///index.ts#${index + 1},1`,
  });
  return {
    op: op ?? opOf(before, after),
    urn,
    ...(before && { oldState: { ...side(before), id: `id-${name}`, ...state } }),
    ...(after && { newState: { ...side(after), ...newState } }),
    ...more,
  };
}

const isResource = (type: MadeResource['type']): type is ResourceType =>
  type !== 'AccessAssertions' && !type.includes(':');

/** The rules of a set as check writes them, whatever form a test declares them in. */
const asChecked = (inputs: Readonly<Record<string, unknown>>): object =>
  typeof inputs['rules'] === 'string' && !inputs['rules'].startsWith('@')
    ? { ...inputs, rules: readDeclaration(inputs['rules']).value ?? inputs['rules'] }
    : inputs;

function opOf(before: unknown, after: unknown): string {
  if (!before) return 'create';
  if (!after) return 'delete';
  return JSON.stringify(before) === JSON.stringify(after) ? 'same' : 'update';
}

/** The sides of a step, and more about it; a side that is missing may be undefined. */
type Step = Omit<MadeResource, 'type' | 'name' | 'before' | 'after'> & {
  readonly before?: object | undefined;
  readonly after?: object | undefined;
};

/** Makes steps of resources of a type. */
export const stepsOf =
  (type: MadeResource['type']) =>
  (name: string, { before, after, ...more }: Step): MadeResource => ({
    ...{ type, name },
    ...(before && { before: { ...before } }),
    ...(after && { after: { ...after } }),
    ...more,
  });

export const policyRule = stepsOf('IpPolicyRule');
export const ruleSet = stepsOf('IpPolicyRuleSet');
export const tcp = stepsOf('TcpEdgeTrafficPolicyModule');
export const agents = stepsOf('HttpsEdgeRouteUserAgentFilterModule');
export const assertionsOf = stepsOf('AccessAssertions');

/** A rule that stays as it is, one that the change adds, and one that it removes. */
export const kept = (name: string, inputs: Readonly<Record<string, unknown>>): MadeResource =>
  policyRule(name, { before: inputs, after: inputs });
export const added = (name: string, after: Readonly<Record<string, unknown>>): MadeResource =>
  policyRule(name, { after });
export const removed = (name: string, before: Readonly<Record<string, unknown>>): MadeResource =>
  policyRule(name, { before });

/** The usual neighbour of what changes. */
export const office = kept('office', rule('8.8.8.0/24'));

/** The state that has these resources, parsed. */
export const stateOf = (...resources: object[]): StackState =>
  readStackState(JSON.stringify({ version: 3, deployment: { resources } }));

/** Steps of any kind, read as those of a preview. */
export const previewSteps = (...steps: object[]): PreviewDocument['steps'] =>
  readPreviewDocument(JSON.stringify({ steps })).steps;
