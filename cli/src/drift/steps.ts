import { type Deployment, isSecret, type StateResource } from '../pulumi/deployment';
import { isOwn } from '../pulumi/managed';
import { ASSERTIONS_TYPE, isProviderType } from 'pulumi-edge-policy-review';
import type { ReadResource } from './read-live-stack';

/**
 * The stack as the preview of a refresh shows it: from what is known to what is live. Equal values are marked as the same, so
 * that secrecy hides no difference there.
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
  const state = isRead ? withoutSecrets(resource) : { urn, type };
  if (!read || !isChanged) return { op: 'same', urn, oldState: state, newState: state };
  const oldState = withValues(resource, read.known);
  return {
    op: 'refresh',
    urn,
    oldState,
    ...(read.live && { newState: withValues(resource, read.live) }),
  };
}

/** A resource with other outputs; values that were secret in state stay so. */
function withValues(resource: StateResource, outputs: Readonly<Record<string, unknown>>): object {
  const hidden = new Set(
    [resource.inputs ?? {}, resource.outputs ?? {}].flatMap((values) =>
      Object.entries(values).flatMap(([name, value]) => (holdsSecret(value) ? [name] : [])),
    ),
  );
  const shown = Object.entries(outputs).map(([name, value]) => [name, hidden.has(name) ? SECRET : value]);
  const { __provider, ...inputs } = withoutSecrets(resource.inputs ?? {}) as Record<string, unknown>;
  // The program's inputs say nothing about the live object.
  const declared = Object.fromEntries(
    Object.keys(inputs).map((name) => [name, hidden.has(name) ? SECRET : outputs[name]]),
  );
  return {
    ...(withoutSecrets(resource) as object),
    inputs: { ...declared, ...(__provider !== undefined && { __provider }) },
    outputs: Object.fromEntries(shown) as object,
  };
}

const SECRET = '[secret]';

const holdsSecret = (value: unknown): boolean =>
  isSecret(value) || (Array.isArray(value) && value.some(holdsSecret));

/** A value of the state, as a preview shows it. */
function withoutSecrets(value: unknown): unknown {
  if (isSecret(value)) return SECRET;
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutSecrets(member)]));
}
