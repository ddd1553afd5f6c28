import { foreign, say } from '../text/sentence';
import { gapAbout, type PreviewGap } from './preview-gaps';
import { isModuleType, isProviderType, parseUrn, resourceTypeOf, type ResourceUrn } from './resource-type';
import { asArray, asObject, asString, isObject, type JsonObject, parsedJson } from './json-reading';
import { type Fate, fatesOf, keyOf } from './fate';
import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import { holdsSecret, isSecret, type PreviewStep, readState, SECRET, type StepState } from './preview-step';
import { isHiddenProvider, serviceSettings } from './services';

/** The content of the stack itself, as `pulumi stack export` wrote it. */
export interface StackState {
  readonly of?: ShownStack;
  readonly resources: ReadonlyMap<string, ReadonlySet<string>>;
  /** The texts of objects that an earlier run has deleted, and of those that it has replaced and still has to delete. */
  readonly gone: ReadonlySet<string>;
  readonly leftovers: ReadonlySet<string>;
  /** The providers that the engine has made by itself, as resources refer to them, and the settings that it gave them. */
  readonly ownProviders: ReadonlySet<string>;
  /** What an interrupted run has begun with our resources. */
  readonly pending: readonly PendingOperation[];
  readonly cliVersion?: string;
  readonly service?: JsonObject;
}

/** An operation that may have been carried out. Its state has the inputs that were sent. */
export interface PendingOperation {
  readonly type: string;
  readonly state: StepState;
}

export class NotAStateError extends Error {
  override readonly name = 'NotAStateError';
}

const OUR_TYPE = /(?:^|\/)edge-policy:/;

/** Everything of ours: resources, providers with their settings, assertions. */
const isRead = (type: string): boolean => OUR_TYPE.test(type) || isProviderType(type);

export function readStackState(text: string): StackState {
  const exported = asObject(parsedJson(text));
  // A stack that was never deployed may be exported without a deployment.
  const isNew = exported?.['deployment'] === null && exported['version'] === 3;
  const deployment = isNew ? {} : asObject(exported?.['deployment']);
  if (!deployment) throw new NotAStateError('This is not a state: make one with `pulumi stack export`.');
  const resources = new Map<string, Set<string>>();
  const gone = new Set<string>();
  const [pending, current] = [new Set<string>(), new Set<string>()];
  const ownProviders = new Set<string>();
  let service: JsonObject | undefined;
  for (const resource of asArray(deployment['resources']).map(asObject)) {
    const urn = asString(resource?.['urn']) ?? '';
    if (!resource || !isRead(parseUrn(urn).type)) continue;
    const inputs = asObject(resource['inputs']);
    if (isHiddenProvider(urn)) {
      // A provider of the program has a parent, the stack if no other.
      if (resource['parent'] !== undefined) continue;
      ownProviders.add(`${urn}::${asString(resource['id']) ?? ''}`);
      service = withSecretsHidden(serviceSettings(inputs));
      continue;
    }
    const state = readState(resource, urn);
    if (!state) continue;
    (state.isPendingDelete ? pending : current).add(textOf(state));
    if (state.isDeletedFirst) gone.add(textOf(state));
    else resources.set(urn, (resources.get(urn) ?? new Set<string>()).add(textOf(state)));
  }
  const cliVersion = asString(asObject(deployment['manifest'])?.['version']);
  const [first] = asArray(deployment['resources']).map((resource) => asString(asObject(resource)?.['urn']));
  return {
    resources,
    gone,
    // A module and its successor may have one id, and one content.
    leftovers: new Set([...pending].filter((text) => !current.has(text))),
    ownProviders: ownProviders,
    pending: readPending(deployment['pending_operations']),
    ...(service && { service }),
    ...(cliVersion !== undefined && { cliVersion }),
    ...(first !== undefined && { of: parseUrn(first) }),
  };
}

export const readPending = (operations: unknown): PendingOperation[] =>
  asArray(operations).flatMap((operation) => {
    const { type, resource } = asObject(operation) ?? {};
    const state = readState(resource, '');
    if (!state || !resourceTypeOf(state.type)) return [];
    const shown = Object.entries(state.inputs ?? {}).map(([name, value]) => [
      name,
      holdsSecret(value) ? SECRET : value,
    ]);
    return [
      { type: asString(type) ?? '', state: { ...state, inputs: Object.fromEntries(shown) as JsonObject } },
    ];
  });

/** Whether a module is there whose delete was interrupted is not known, and a review has no bound for an edge without any. */
export const pendingGaps = ({ pending }: StackState): PreviewGap[] =>
  gapAbout(
    pending.flatMap(({ type, state }) => {
      const of = resourceTypeOf(state.type);
      return type === 'deleting' && of && isModuleType(of) ? [parseUrn(state.urn).name] : [];
    }),
    (named) =>
      say`A run was interrupted while it deleted ${named}: run ${foreign(`${COMMAND_LINE} recover`)} first.`,
  );

/** What the preview claims of the stack before the change, a refresh's findings included, and the state does not prove, or has besides. */
export function stateGaps(
  steps: readonly PreviewStep[],
  { resources, gone, leftovers }: StackState,
): PreviewGap[] {
  const claimed = new Map<string, Set<string>>();
  for (const { old } of steps)
    if (old?.isExternal && isRead(old.type))
      claimed.set(old.urn, (claimed.get(old.urn) ?? new Set<string>()).add(textOf(old)));
  const objects = fatesOf(steps).flatMap((resource) => resource.objects);
  // A renamed resource that is replaced is deleted under its former name.
  const ended = new Set(objects.flatMap(({ fate, state }) => (fate === 'gone' ? [] : [keyOf(state)])));
  const imported = new Set(
    steps.flatMap(({ op, new: imported }) =>
      op === 'import' && imported?.importId !== undefined
        ? [keyOf({ ...imported, id: imported.importId })]
        : [],
    ),
  );
  for (const { fate, state, step } of objects) {
    const isProvedGone = fate === 'gone' && (gone.has(textOf(state)) || ended.has(keyOf(state)));
    // An update follows the import of what differs: its old side is what is live, and in no state yet.
    if (imported.has(keyOf(state)) && !resources.has(state.urn)) continue;
    if (isProvedGone || !isRead(state.type) || isHiddenProvider(state.urn)) continue;
    const texts = claimed.get(state.urn) ?? new Set<string>();
    const text = textOf(state);
    // The engine does nothing with what an earlier run has replaced but delete it.
    const isForged = leftovers.has(text) && step.op !== 'refresh' && STAYS.has(fate);
    claimed.set(state.urn, texts.add(fate === 'gone' || isForged ? fate : text));
  }
  const isSame = (urn: string) =>
    [...(resources.get(urn) ?? [])].every((text) => claimed.get(urn)?.has(text) === true) &&
    [...(claimed.get(urn) ?? [])].every((text) => resources.get(urn)?.has(text) === true);
  const urns = new Set([...resources.keys(), ...claimed.keys()]);
  const names = [...urns].filter((urn) => !isSame(urn)).map((urn) => parseUrn(urn).name);
  return gapAbout(
    names,
    (named) => say`The preview and the state of the stack disagree about the previous state of ${named}.`,
  );
}

const STAYS: ReadonlySet<Fate> = new Set<Fate>(['kept', 'changed', 'get']);

/** As the CLI prints settings, where a proxy may be a secret as well as a key. */
const withSecretsHidden = (settings: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, isSecret(value) ? SECRET : value]),
  );

/** All of a state that the fate of its object depends on, whatever the order of the keys; secrets as the CLI prints them. */
const textOf = (state: StepState): string =>
  JSON.stringify([
    ...[state.urn, state.id, canonical(state.inputs ?? {}), canonical(state.outputs ?? {}), state.provider],
    ...[state.service, state.deletedWith, state.importId],
    ...[state.isRetainedOnDelete, state.isProtected, state.isExternal],
  ]);

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (!isObject(value)) return value;
  if (isSecret(value)) return SECRET;
  return Object.keys(value)
    .sort()
    .map((key) => [key, canonical(value[key])]);
}

/** The stack that a preview or a state is of, as far as it says so. */
export type ShownStack = Partial<Pick<ResourceUrn, 'project' | 'stack'>>;

/** Another stack than `STACK`, `ORG/STACK` or `ORG/PROJECT/STACK`. URNs name no organization: the state is exported by the full name. */
export function otherStack(named: string, shown: readonly ShownStack[]): PreviewGap[] {
  const parts = named.split('/');
  const name = parts.at(-1);
  const project = parts.length > 2 ? parts.at(-2) : undefined;
  const other = shown.find(
    (of) =>
      of.stack !== undefined && (of.stack !== name || (project !== undefined && of.project !== project)),
  );
  if (!other) return [];
  const its = foreign(`${other.project ?? ''}/${other.stack ?? ''}`);
  return [say`The preview or the state belongs to ${its}, but the stack to review is ${foreign(named)}.`];
}
