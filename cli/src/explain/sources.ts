import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { liveKey } from 'pulumi-edge-policy/internal/resources/provider-reference';
import {
  type LiveModulePlace,
  modulePlaces,
  readPending,
  recordedSides,
  resourceChanges,
  resourceTypeOf,
  type ReviewedResource,
  type Snapshot,
  snapshotOf,
  readState,
  type StackChange,
  stackChangeOf,
} from 'pulumi-edge-policy-review';
import type { Location } from '../command/arguments';
import type { CliContext } from '../command/context';
import { readPreviewText, readWholePreview } from '../judge/review-files';
import {
  type Deployment,
  nameOfUrn,
  type StateResource,
  withSecretsHidden,
  managersOf,
  withoutSecretsOf,
} from '../pulumi/deployment';
import { type PastOptions, readPast } from '../pulumi/recorded-state';
import { withLocalPlaces } from '../pulumi/local-places';
import { findProjectFolder, readConfig, requireStack, settingsFrom } from '../pulumi/stack';
import { resourcesOfService, withClient } from '../pulumi/live-objects';

/** Where declarations are read: a preview, the service, or else the state of the stack. */
export interface SourceOptions extends PastOptions {
  readonly preview?: string;
  readonly live?: true;
}

export interface DatedSnapshot {
  readonly when: 'now' | 'before' | 'after';
  readonly snapshot: Snapshot;
  /** What the state declares, of which the service may show nothing to this key. */
  readonly declared?: Snapshot | undefined;
  /** When the state was recorded that it is from, and whether it decides; absent for the present. */
  readonly recorded?: { readonly time: string; readonly isCertain: boolean };
}

/**
 * Reads the declarations of a source.
 *
 * @param asked The modules to read from the service; if absent, those of the stack's state, as the service lists none.
 * @throws UserError if the source, or the state that names the edges and routes, cannot be read, or does not show the whole change.
 */
export async function readSnapshots(
  { preview, live, state, at, ...where }: SourceOptions & Location,
  context: CliContext,
  asked?: readonly LiveModulePlace[],
): Promise<DatedSnapshot[]> {
  requireOneSource({ preview, live, state, at });
  if ((state ?? at) !== undefined) {
    const past = await readPast({ state, at }, where, context);
    const recorded = { time: past.deployment.manifest.time, isCertain: past.gaps.length === 0 };
    return [{ when: 'now', snapshot: snapshotOfState(past.deployment), recorded }];
  }
  if (preview !== undefined) {
    const { before, after } = snapshotsOfPreview(localPreview(preview, where.cwd));
    return [
      { when: 'before', snapshot: before },
      { when: 'after', snapshot: after },
    ];
  }
  const stack = live && asked ? undefined : requireStack(context, where);
  if (!live && stack)
    return [{ when: 'now', snapshot: snapshotOfState(await stack.deployment({ showsSecrets: false })) }];
  // To find what is live, all ids are needed, even if a stack keeps them secret.
  const deployment = await stack?.deployment();
  const declared = deployment && snapshotOfState(deployment);
  const places = asked ?? (declared ? modulePlaces(declared) : []);
  const managers = deployment ? managersOf(deployment) : new Map<string, never>();
  const settings = settingsFrom(context, await readConfig(context, where));
  const liveResources = await withClient(context, settings, (client) => resourcesOfService(client, places));
  return [
    { when: 'now', snapshot: snapshotOf(liveResources.map((each) => hiddenAs(each, managers))), declared },
  ];
}

/** @throws UserError if more than one source is named. */
export function requireOneSource(
  sources: Partial<Record<'preview' | 'live' | 'state' | 'at', unknown>>,
): void {
  const named = Object.entries(sources).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`],
  );
  if (named.length > 1) throw new UserError(`Give ${named.join(' or ')}, not both.`);
}

/** A live object without what its resource keeps secret. */
export function hiddenAs(
  live: ReviewedResource,
  managers: ReadonlyMap<string, StateResource>,
): ReviewedResource {
  const manager = managers.get(liveKey(live.origin.type, live.origin.urn));
  return manager ? { ...live, inputs: withoutSecretsOf(manager, live.inputs) } : live;
}

const snapshotOfState = (deployment: Deployment): Snapshot => snapshotOf(resourcesOfState(deployment));

/** The declarations in a stack's state: secrets stay hidden, as in a preview. */
export const resourcesOfState = ({ resources, pendingOperations }: Deployment): ReviewedResource[] =>
  recordedSides(
    resources
      // A resource that a replacement has already deleted is only a name.
      .filter((resource) => resource.pendingReplacement !== true && !isManagedElsewhere(resource, resources))
      .flatMap((resource) => sideOf(resource) ?? []),
    readPending(pendingOperations),
  );

/** A look-up of an object that the stack manages itself. */
const isManagedElsewhere = ({ external, id }: StateResource, all: readonly StateResource[]): boolean =>
  external === true && all.some((other) => other.external !== true && other.id === id);

function sideOf(resource: StateResource): ReviewedResource | undefined {
  const type = resourceTypeOf(resource.type);
  if (!type) return undefined;
  const { urn } = resource;
  const {
    source,
    inputs = {},
    outputs = {},
    isExternal = false,
  } = readState(withSecretsHidden(resource), urn) ?? {};
  const origin = { urn, name: nameOfUrn(urn), type, ...(source && { source }) };
  return isExternal ? { origin, inputs: outputs, outputs, doubt: 'look-up' } : { origin, inputs, outputs };
}

/** The text of a preview, in which lines of the program are those of this project. */
export const localPreview = (file: string, cwd: string): string =>
  withLocalPlaces(readPreviewText(file, cwd), findProjectFolder(cwd));

/** Both sides of a previewed change. @throws UserError for a preview that does not show the whole change. */
export const snapshotsOfPreview = (text: string): StackChange =>
  stackChangeOf(resourceChanges(readWholePreview(text).steps));
