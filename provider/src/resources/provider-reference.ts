import type { CustomResourceOptions, ID, Input } from '@pulumi/pulumi';
import { warnOfMisspeltSettings } from './warn-of-misspelt-settings';

/** The resource types of the package, by the names that stand in users' state. */
export const resourceTypes = [
  'IpPolicyRule',
  'IpPolicyRuleSet',
  'TcpEdgeTrafficPolicyModule',
  'HttpsEdgeRouteUserAgentFilterModule',
] as const;

/** One of the resource types of the package. */
export type ResourceType = (typeof resourceTypes)[number];

/** The type token under which the engine's host for dynamic resources serves our types. */
export const typeToken = (type: ResourceType): string => `pulumi-nodejs:dynamic/edge-policy:${type}`;

/**
 * The program text from which the engine's host gets a resource's handler, sent as the `__provider` property.
 *
 * `pulumi.dynamic.Resource` would send the serialised closure of the whole provider here: it is stored twice per
 * resource, shows up as a diff on every upgrade, keeps old code alive in state, and cannot capture an HTTP client. The
 * same host is as content with this constant: the installed package then serves every step. Measured with 1,000
 * resources against a do-nothing closure provider: create 1.8 times faster, less than half the state
 * (docs/performance.md says how to repeat it).
 *
 * The text is in users' states for ever: it is a public contract and must not change, and `handler.ts` must keep
 * answering to it.
 */
export const providerReference = (type: ResourceType): string =>
  `exports.handler=()=>require("pulumi-edge-policy/handler").handler("${type}")`;

/** The properties that a resource class sends: the caller's, the names of its outputs, and the reference. */
export function resourceProperties(
  type: ResourceType,
  args: object | undefined,
  outputs: readonly string[],
): Record<string, unknown> {
  const unset = Object.fromEntries(outputs.map((name) => [name, undefined]));
  return { ...unset, ...args, __provider: providerReference(type) };
}

/**
 * The options that a resource class passes on. Replacement deletes first, as the service may refuse two rules for one
 * CIDR, and a forced replacement (`up --replace`, taint) never asks diff; the caller's own choice wins.
 *
 * @throws Error where `import` is set: the engine cannot import a dynamic resource that way.
 */
export function resourceOptions(
  type: ResourceType,
  opts: CustomResourceOptions | undefined,
): CustomResourceOptions {
  warnOfMisspeltSettings();
  if (opts?.import !== undefined) throw new Error(importAdvice(type, opts.import));
  return { deleteBeforeReplace: true, ...opts };
}

const importAdvice = (type: ResourceType, id: unknown): string =>
  `The resource option "import" cannot work for ${type}: the engine does not tell the host of dynamic resources ` +
  `which provider to ask (pulumi/pulumi#3550). Remove it and run "npx edge-policy import" instead` +
  (typeof id === 'string' ? ` for ${id}.` : '.');

/** The options of `get`: the id makes the SDK read the resource instead of creating it. */
export const lookUpOptions = (id: Input<ID>, opts?: CustomResourceOptions): CustomResourceOptions => ({
  ...opts,
  id,
});
