import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import {
  NotAPreviewError,
  type PreviewDocument,
  readPreviewDocument,
  resourceChanges,
  resourceTypeOf,
  type ReviewedResource,
  type Snapshot,
  snapshotOf,
  sourceOf,
  stackChangeOf,
} from 'pulumi-edge-policy-review';
import { type Deployment, nameOfUrn, type StateResource, withSecretsHidden } from '../pulumi/deployment';

/** The declarations in a stack's state: secrets stay hidden, as in a preview. */
export function snapshotOfState({ resources }: Deployment): Snapshot {
  return snapshotOf(
    resources
      // A resource that a replacement has already deleted is only a name.
      .filter((resource) => resource.external !== true && resource.pendingReplacement !== true)
      .flatMap((resource) => sideOf(resource) ?? []),
  );
}

function sideOf(resource: StateResource): ReviewedResource | undefined {
  const type = resourceTypeOf(resource.type);
  if (!type) return undefined;
  const { urn, inputs = {}, outputs = {} } = resource;
  const source = sourceOf(resource);
  return {
    origin: { urn, name: nameOfUrn(urn), type, ...(source && { source }) },
    inputs: withSecretsHidden(inputs) as Record<string, unknown>,
    outputs: withSecretsHidden(outputs) as Record<string, unknown>,
  };
}

/**
 * Both sides of a previewed change.
 *
 * @throws UserError for a preview that does not show the whole change, as nothing can be concluded from it.
 */
export function snapshotsOfPreview(text: string): { readonly before: Snapshot; readonly after: Snapshot } {
  const { steps, gaps } = readDocument(text);
  if (gaps.length > 0)
    throw new UserError(`The preview does not show the whole change: "${COMMAND_LINE} review" says why.`);
  return stackChangeOf(resourceChanges(steps));
}

function readDocument(text: string): PreviewDocument {
  try {
    return readPreviewDocument(text);
  } catch (error) {
    throw error instanceof NotAPreviewError ? new UserError(error.message) : error;
  }
}
