import type { PreviewStep, StepState } from '../preview/preview-step';
import { isModuleType, type ResourceType, resourceTypeOf } from '../preview/resource-type';
import { compareText } from '../text/compare-text';
import type { Origin } from './declarations';
import type { SideInputs } from './live-inputs';
import { clearestInputs, declaredInputs, liveInputs } from './live-inputs';
import { identityFields } from './read-modules';

/** What happens to one object of the service. */
export type ChangeKind = 'unchanged' | 'create' | 'update' | 'replace' | 'delete' | 'forget';

/** Why the engine leaves an object on the service when its resource is removed. */
export type Retention = 'retainOnDelete' | 'deletedWith';

/** A resource on one side of the change. */
export interface ResourceSide extends SideInputs {
  readonly origin: Origin;
  /** The service's identifier, if it is known. */
  readonly id?: string;
}

/**
 * One object before and after, as a resource has it. A resource that an earlier run left half replaced has several objects with
 * the same URN. An object that is absent on a side does not exist there.
 */
export interface ResourceChange {
  readonly kind: ChangeKind;
  readonly type: ResourceType;
  readonly before?: ResourceSide;
  readonly after?: ResourceSide;
  /** For a replacement: the old object if it stays on the service. */
  readonly left?: ResourceSide;
  /** Why the old object stays on the service, if it does. */
  readonly retention?: Retention;
  /** For a replacement: the old object is deleted before the new one is created. */
  readonly isDeletedFirst: boolean;
}

/** Steps without any intent of the program: a read of the service, or a look-up of a foreign resource. */
const IGNORED_OPS = new Set([
  'refresh',
  'read',
  'read-replacement',
  'read-discard',
  'discard-replaced',
  'discard',
  // An object that an interrupted replacement has already deleted; only its entry in the state is removed.
  'remove-pending-replace',
]);
const REPLACE_OPS = new Set(['replace', 'create-replacement', 'import-replacement']);
const DELETE_OPS = new Set(['delete', 'delete-replaced']);

/**
 * The changes of our resources, in the order of their URNs: the engine plans in parallel, so the order of its steps differs
 * from one preview to the next.
 */
export function resourceChanges(steps: readonly PreviewStep[]): ResourceChange[] {
  const byUrn = new Map<string, PreviewStep[]>();
  const goingUrns = new Set<string>();
  for (const step of steps) {
    if (DELETE_OPS.has(step.op) || step.op === 'replace') goingUrns.add(step.urn.text);
    if (!resourceTypeOf(step.type)) continue;
    const ofResource = byUrn.get(step.urn.text);
    if (ofResource) ofResource.push(step);
    else byUrn.set(step.urn.text, [step]);
  }
  return [...byUrn.values()]
    .flatMap((ofResource) => changesOf(ofResource, goingUrns))
    .map((change) => ({ change, key: sortKey(change) }))
    .sort((left, right) => compareText(left.key, right.key))
    .map(({ change }) => change);
}

const sortKey = ({ before, after, kind }: ResourceChange): string =>
  [before?.origin.urn ?? after?.origin.urn, kind, before?.id].join('\n');

/** All steps of one resource together. A delete of another object than the replaced one is a change of its own. */
function changesOf(all: readonly PreviewStep[], goingUrns: ReadonlySet<string>): ResourceChange[] {
  const steps = all.filter(({ op }) => !IGNORED_OPS.has(op));
  // In a refresh alone, these steps show how the objects have changed; before other steps they only show where those start from.
  if (steps.length === 0) return all.filter(({ op }) => op === 'refresh').flatMap(drift);
  const replacing = steps.filter(({ op }) => REPLACE_OPS.has(op));
  const isReplaced = ({ op, old }: PreviewStep): boolean =>
    op === 'delete-replaced' && replacing.some((step) => step.old?.id === old?.id);
  const context = { goingUrns, isDeleteShown: steps.some(isReplaced) };
  const deletes = steps.filter((step) => DELETE_OPS.has(step.op) && !isReplaced(step));
  const others = steps.filter(({ op }) => !DELETE_OPS.has(op));
  return [
    ...(replacing.length > 0
      ? replacement(others, replacing, context)
      : others.length > 0
        ? plain(others)
        : []),
    ...deletes.flatMap((step) => deletion(step, step.old, context)),
  ];
}

interface Context {
  /** The resources that are deleted or replaced: those that are `deletedWith` them only leave the state. */
  readonly goingUrns: ReadonlySet<string>;
  /** Whether the preview shows that the replaced object is deleted in this run. */
  readonly isDeleteShown: boolean;
}

/** The result of a refresh: the object in state, and the live one. */
function drift(step: PreviewStep): ResourceChange[] {
  const [before, after] = [liveSide(step, step.old), liveSide(step, step.new)];
  return changeOf({ kind: 'update', before, after });
}

/** No replacement: the object stays, is created, or is imported and perhaps updated at once. */
function plain(steps: readonly PreviewStep[]): ResourceChange[] {
  const last = steps.at(-1);
  if (!last) return [];
  const imported = steps.find(({ op }) => op === 'import');
  if (imported) return importing(last, imported.new);
  if (last.op !== 'same')
    return changeOf({ kind: 'update', before: liveSide(last, last.old), after: wantedSide(last) });
  const inputs = clearestInputs(last.old, last.new);
  const side = (state: StepState | undefined) => sideOf(last, state, inputs(state));
  return changeOf({ kind: 'unchanged', before: side(last.old), after: side(last.new) });
}

/** An import finds its object live: as declared, unless an update follows that starts from the live object. */
function importing(last: PreviewStep, imported: StepState | undefined): ResourceChange[] {
  const isUpdated = last.op === 'update' && last.old !== undefined;
  const before = isUpdated ? liveSide(last, last.old) : sideOf(last, imported, declaredInputs(imported));
  return changeOf({ kind: isUpdated ? 'update' : 'unchanged', before, after: wantedSide(last) });
}

/** A replacement can appear as one step or as three (create, replace, delete), which together have both sides. */
function replacement(
  steps: readonly PreviewStep[],
  replacing: readonly PreviewStep[],
  context: Context,
): ResourceChange[] {
  const old = replacing.find((step) => step.old)?.old;
  const wanted = steps.findLast((step) => step.new) ?? steps[0];
  const first = replacing[0];
  if (!first || !wanted) return [];
  if (isImported(replacing, old, wanted.new))
    return [...deletion(first, old, context), ...importing(wanted, wanted.new)];
  // If the delete is not among the shown steps, an earlier run has done it.
  const isGone = old?.isDeletedFirst === true && !context.isDeleteShown && showsAllSteps(replacing);
  const before = old?.isExternal === true || isGone ? undefined : liveSide(first, old);
  const after = wantedSide(wanted);
  // The rest of an interrupted replacement is deleted without a successor.
  if (!after) return deletion(first, old, context);
  const retention = before && staysBeside(before, after) ? retentionOf(old, context) : undefined;
  return changeOf({
    kind: 'replace',
    before,
    after,
    ...(retention && { left: before, retention }),
    isDeletedFirst: old?.isDeletedFirst === true,
  });
}

const showsAllSteps = (replacing: readonly PreviewStep[]): boolean =>
  replacing.some(({ op }) => op !== 'replace');

/** A resource that moves to another object, which the program names. */
const isImported = (replacing: readonly PreviewStep[], old?: StepState, wanted?: StepState): boolean =>
  replacing.some(({ op }) => op === 'import-replacement') ||
  (wanted?.importId !== undefined && ![old?.id, old?.importId].includes(wanted.importId));

/** An object that is deleted, or that only leaves the state. */
function deletion(step: PreviewStep, state: StepState | undefined, context: Context): ResourceChange[] {
  const before = state?.isExternal === true ? undefined : liveSide(step, state);
  const retention = retentionOf(state, context);
  if (!retention || !before) return changeOf({ kind: 'delete', before });
  return changeOf({ kind: 'forget', before, after: before, retention });
}

function retentionOf(state: StepState | undefined, { goingUrns }: Context): Retention | undefined {
  if (state?.isRetainedOnDelete === true) return 'retainOnDelete';
  return state?.deletedWith !== undefined && goingUrns.has(state.deletedWith) ? 'deletedWith' : undefined;
}

/** A module has one place: its successor at the same place overwrites it, even if it is retained. */
function staysBeside(before: ResourceSide, after: ResourceSide): boolean {
  const { type } = before.origin;
  return (
    !isModuleType(type) || identityFields(type).some((name) => before.inputs[name] !== after.inputs[name])
  );
}

const liveSide = (step: PreviewStep, state: StepState | undefined): ResourceSide | undefined =>
  sideOf(step, state, liveInputs(state));
const wantedSide = (step: PreviewStep): ResourceSide | undefined =>
  sideOf(step, step.new, declaredInputs(step.new));

/** A create that `--target` excludes appears as `same` without inputs: it exists on neither side. */
function sideOf(
  { urn, type: token }: PreviewStep,
  state: StepState | undefined,
  inputs: SideInputs | undefined,
): ResourceSide | undefined {
  const type = resourceTypeOf(token);
  if (!state || !inputs || !type) return undefined;
  const { source, id } = state;
  const origin: Origin = { urn: urn.text, name: urn.name, type, ...(source && { source }) };
  return { origin, ...inputs, ...(id !== undefined && { id }) };
}

interface Sides {
  /** The kind of change if the object exists on both sides. */
  readonly kind: ChangeKind;
  readonly before?: ResourceSide | undefined;
  readonly after?: ResourceSide | undefined;
  readonly left?: ResourceSide | undefined;
  readonly retention?: Retention;
  readonly isDeletedFirst?: boolean;
}

function changeOf({ kind, before, after, left, retention, isDeletedFirst = false }: Sides): ResourceChange[] {
  const type = (before ?? after)?.origin.type;
  if (!type) return [];
  return [
    {
      kind: !before ? 'create' : !after ? 'delete' : kind,
      type,
      ...(before && { before }),
      ...(after && { after }),
      ...(left && { left }),
      ...(retention && { retention }),
      isDeletedFirst,
    },
  ];
}

/**
 * The declarations of unchanged objects, by their origins; other objects of the same resource may be deleted. A secret looks
 * alike whether or not it changed, so the engine's statement that nothing did is what counts.
 */
export const keptOrigins = (changes: readonly ResourceChange[]): ReadonlySet<Origin> =>
  new Set(
    changes
      .filter(({ kind }) => kind === 'unchanged' || kind === 'forget')
      .flatMap(({ before, after }) => [before, after].flatMap((side) => side?.origin ?? [])),
  );
