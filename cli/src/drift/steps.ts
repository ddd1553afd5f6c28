import {
  type Deployment,
  holdsSecret,
  SHOWN_SECRET,
  type StateResource,
  withSecretsHidden,
} from '../pulumi/deployment';
import { isOwn } from '../pulumi/managed';
import { ASSERTIONS_TYPE, isProviderType } from 'pulumi-edge-policy-review';
import type { ReadResource } from './read-live-stack';

/**
 * The stack as a preview shows a change: from what is known to what is live. Equal values are marked as the same, so that
 * secrecy hides no difference there.
 */
export function stepsOf(
  { resources }: Deployment,
  {
    read,
    changedUrns,
  }: { readonly read: readonly ReadResource[]; readonly changedUrns: ReadonlySet<string> },
): object[] {
  const byUrn = new Map(read.map((found) => [found.resource.urn, found]));
  const known = new Set(resources.map(({ urn }) => urn));
  const approvedOnly = read.filter(({ resource }) => !known.has(resource.urn));
  return [
    ...resources.filter(({ external }) => external !== true),
    ...approvedOnly.map(({ resource }) => resource),
  ].map((resource) => stepOf(resource, byUrn.get(resource.urn), changedUrns.has(resource.urn)));
}

function stepOf(resource: StateResource, read: ReadResource | undefined, isChanged: boolean): object {
  const { urn, type } = resource;
  const isRead = isOwn(resource) || type === ASSERTIONS_TYPE || isProviderType(type);
  const state = isRead ? withSecretsHidden(resource) : { urn, type };
  if (!read || !isChanged) return { op: 'same', urn, oldState: state, newState: state };
  const oldState = withValues(resource, read.known);
  if (read.live) return { op: 'update', urn, oldState, newState: withValues(resource, read.live) };
  // It is gone, whatever the engine would do with it.
  return { op: 'delete', urn, oldState: { ...oldState, retainOnDelete: false, deletedWith: undefined } };
}

/** A resource with other outputs; values that were secret in state stay so. */
function withValues(resource: StateResource, outputs: Readonly<Record<string, unknown>>): object {
  const hidden = new Set(
    [resource.inputs ?? {}, resource.outputs ?? {}].flatMap((values) =>
      Object.entries(values).flatMap(([name, value]) => (holdsSecret(value) ? [name] : [])),
    ),
  );
  const shown = Object.entries(outputs).map(([name, value]) => [
    name,
    hidden.has(name) ? SHOWN_SECRET : value,
  ]);
  const { __provider, ...inputs } = withSecretsHidden(resource.inputs ?? {}) as Record<string, unknown>;
  // The program's inputs say nothing about the live object.
  const declared = Object.fromEntries(
    Object.keys(inputs).map((name) => [name, hidden.has(name) ? SHOWN_SECRET : outputs[name]]),
  );
  return {
    ...(withSecretsHidden(resource) as object),
    inputs: { ...declared, ...(__provider !== undefined && { __provider }) },
    outputs: Object.fromEntries(shown) as object,
  };
}
