import type { PreviewGap } from './preview-gaps';
import type { ResourceUrn } from './resource-urn';

/** The stack that a preview or a state is of, as far as it says so. */
export type ShownStack = Partial<Pick<ResourceUrn, 'project' | 'stack'>>;

/**
 * Refuses what is of another stack than the named one: `STACK`, `ORGANIZATION/STACK` or `ORGANIZATION/PROJECT/STACK`. URNs name no
 * organization: `pulumi stack export` of the full name takes the state from the right one, and a preview has to agree with the state.
 */
export function otherStack(named: string, shown: readonly ShownStack[]): PreviewGap[] {
  const parts = named.split('/');
  const name = parts.at(-1);
  const project = parts.length > 2 ? parts.at(-2) : undefined;
  const other = shown.find(
    (of) =>
      of.stack !== undefined && (of.stack !== name || (project !== undefined && of.project !== project)),
  );
  return other ? [{ kind: 'other-stack', named, shown: `${other.project ?? ''}/${other.stack ?? ''}` }] : [];
}
