import type { CustomResourceOptions, ID, Input } from '@pulumi/pulumi';
import { providerReference, type ResourceType } from '../resources/provider-reference';
import { warnOfMisspeltSettings } from './warn-of-misspelt-settings';

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
