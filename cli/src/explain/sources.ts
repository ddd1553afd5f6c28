import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import {
  type LiveModulePlace,
  modulePlaces,
  resourceChanges,
  resourceTypeOf,
  type ReviewedResource,
  type Snapshot,
  snapshotOf,
  sourceOf,
  type StackChange,
  stackChangeOf,
} from 'pulumi-edge-policy-review';
import type { Location } from '../command/arguments';
import type { CliContext } from '../command/context';
import { readPreviewText, readWholePreview } from '../judge/review-files';
import {
  type Deployment,
  nameOfUrn,
  parseDeployment,
  type StateResource,
  withSecretsHidden,
} from '../pulumi/deployment';
import { readConfig, requireStack, settingsFrom } from '../pulumi/stack';
import { withClient } from '../pulumi/with-client';
import type * as serviceModule from './read-service';

/** Where declarations are read: a preview, the service, or else the state of the stack. */
export interface SourceOptions {
  readonly preview?: string;
  readonly live?: true;
}

/** The declarations of one side. */
export interface DatedSnapshot {
  readonly when: 'now' | 'before' | 'after';
  readonly snapshot: Snapshot;
  /** What the state declares, of which the service may show nothing to this key. */
  readonly declared?: Snapshot | undefined;
}

/**
 * Reads the declarations of a source.
 *
 * @param asked The modules to read from the service; if absent, those of the stack's state, as the service lists none.
 * @throws UserError if the source, or the state that names the edges and routes, cannot be read, or does not show the whole change.
 */
export async function readSnapshots(
  { preview, live, ...where }: SourceOptions & Location,
  context: CliContext,
  asked?: readonly LiveModulePlace[],
): Promise<DatedSnapshot[]> {
  if (live && preview !== undefined) throw new UserError('Give --preview or --live, not both.');
  if (preview !== undefined) {
    const { before, after } = snapshotsOfPreview(readPreviewText(preview, where.cwd));
    return [
      { when: 'before', snapshot: before },
      { when: 'after', snapshot: after },
    ];
  }
  if (!live) return [{ when: 'now', snapshot: await stateOf(where, context) }];
  const declared = asked === undefined ? await stateOf(where, context) : undefined;
  const places = asked ?? (declared === undefined ? [] : modulePlaces(declared));
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- as late as possible: it loads the resources
  const { snapshotOfService } = require('./read-service') as typeof serviceModule;
  const settings = settingsFrom(context, await readConfig(context, where));
  const snapshot = await withClient(context, settings, (client) => snapshotOfService(client, places));
  return [{ when: 'now', snapshot, declared }];
}

const stateOf = async (where: Location, context: CliContext): Promise<Snapshot> =>
  snapshotOfState(parseDeployment(await requireStack(context, where).exportText()));

const snapshotOfState = (deployment: Deployment): Snapshot => snapshotOf(resourcesOfState(deployment));

/** The declarations in a stack's state: secrets stay hidden, as in a preview. */
export const resourcesOfState = ({ resources }: Deployment): ReviewedResource[] =>
  resources
    // A resource that a replacement has already deleted is only a name.
    .filter((resource) => resource.external !== true && resource.pendingReplacement !== true)
    .flatMap((resource) => sideOf(resource) ?? []);

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

/** Both sides of a previewed change. @throws UserError for a preview that does not show the whole change. */
export const snapshotsOfPreview = (text: string): StackChange =>
  stackChangeOf(resourceChanges(readWholePreview(text).steps));
