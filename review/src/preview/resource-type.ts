import { moduleIdOf } from 'pulumi-edge-policy/internal/resources/module-kind';
import { moduleKind } from 'pulumi-edge-policy/internal/resources/modules';
import {
  isModuleType,
  nativeToken,
  PACKAGE_NAME,
  type ResourceType,
} from 'pulumi-edge-policy/internal/resources/provider-reference';
import { asString } from './json-reading';

// The type names of our resources come from the provider.
export type { ModuleType, ResourceType } from 'pulumi-edge-policy/internal/resources/provider-reference';
export {
  hostOfToken,
  isModuleType,
  MODULE_TYPES,
  providerReference,
  typeOfToken as resourceTypeOf,
} from 'pulumi-edge-policy/internal/resources/provider-reference';

export const ASSERTIONS_TYPE = nativeToken('AccessAssertions');

/** Whether a type is that of a provider which serves resources of ours. */
export const isProviderType = (type: string): boolean =>
  [PACKAGE_NAME, 'pulumi-nodejs'].some((name) => type === `pulumi:providers:${name}`);

/** What a resource is about: the id of its policy, edge or route; undefined if that is hidden. */
export const subjectIn = (
  type: ResourceType | undefined,
  inputs: Readonly<Record<string, unknown>>,
): string | undefined =>
  type && isModuleType(type) ? moduleIdOf(moduleKind(type), inputs) : asString(inputs['ipPolicyId']);

/** The parts of `urn:pulumi:<stack>::<project>::<parent types$type>::<name>`. */
export interface ResourceUrn {
  readonly text: string;
  readonly stack: string;
  readonly project: string;
  /** The type token, without the parents' types. */
  readonly type: string;
  readonly name: string;
}

const SEPARATOR = '::';
const PREFIX = 'urn:pulumi:';

export const isUrn = (text: string): boolean =>
  text.startsWith(PREFIX) && text.split(SEPARATOR, 4).length === 4;

/** Takes a URN apart. A name may hold `::` itself, so only the first three separators count. */
export function parseUrn(text: string): ResourceUrn {
  const [stack = '', project = '', types = '', ...name] = text.split(SEPARATOR);
  return {
    text,
    stack: stack.startsWith(PREFIX) ? stack.slice(PREFIX.length) : stack,
    project,
    type: types.slice(types.lastIndexOf('$') + 1),
    name: name.join(SEPARATOR),
  };
}
