// What a run of the engine leaves live of every object that the state holds, whatever a step is called. Only what every supported
// version does decides anything (tests/engine/review-fate.test.ts); a step that no version has makes the preview undecidable.
import { grouped } from 'pulumi-edge-policy/internal/values/grouped';
import { isUnknown } from 'pulumi-edge-policy/internal/values/unknowns';
import type { PreviewStep, StepState } from './preview-step';
import { resourceTypeOf } from './resource-type';

/** Why an object stays on the service when it leaves the stack, or may stay: with `get`, the program only looks it up from now on. */
export type Retention = 'retainOnDelete' | 'deletedWith' | 'get' | 'unknown';

/** An object of the state is live as it was, changed, or deleted; it leaves the stack and stays, or may; or no run has such steps. */
export type Fate = Retention | 'kept' | 'changed' | 'deleted' | 'gone' | 'contradictory';

export interface StateObject {
  readonly step: PreviewStep;
  /** The object as this run finds it: what the state holds, or what a refresh has just read. */
  readonly state: StepState;
  readonly fate: Fate;
  /** A replacement that an earlier run left half done: the resource has another object by now. */
  readonly isLeftover: boolean;
  /** Deleted before its successor is created. */
  readonly isDeletedFirst: boolean;
}

/** A resource: the objects that the state holds for it, and the step with what it will be, if it stays in the stack. */
export interface ResourceFate {
  readonly urn: string;
  readonly objects: readonly StateObject[];
  readonly wanted?: PreviewStep;
  /** The object that is wanted is live already, and outside the stack. */
  readonly isImported: boolean;
}

/** What an operation does to the object of its old side. */
type Effect =
  'keeps' | 'changes' | 'deletes' | 'replaces' | 'looks up' | 'drops' | 'reads' | 'makes' | 'discards';

const OPERATIONS: Readonly<Record<Effect, readonly string[]>> = {
  keeps: ['same'],
  changes: ['update'],
  deletes: ['delete', 'delete-replaced'],
  replaces: ['replace', 'create-replacement', 'import-replacement', 'read-replacement'],
  'looks up': ['read'],
  // The entry of an object that is deleted already. The CLI does not show it.
  drops: ['remove-pending-replace'],
  reads: ['refresh'],
  makes: ['create', 'import'],
  // The entries of look-ups, which are no objects of the stack.
  discards: ['discard', 'discard-replaced'],
};
const EFFECTS: ReadonlyMap<string, Effect> = new Map(
  (Object.keys(OPERATIONS) as Effect[]).flatMap((effect) =>
    OPERATIONS[effect].map((op) => [op, effect] as const),
  ),
);

export const isOperation = (op: string): boolean => EFFECTS.has(op);

export function fatesOf(all: readonly PreviewStep[]): ResourceFate[] {
  const steps = withFlagsOfAnyStep(all);
  // The delete of a renamed resource comes under its former name.
  const renamed = new Map(
    steps.flatMap(({ urn, old }) => (old && old.urn !== urn.text ? [[keyOf(old), urn.text]] : [])),
  );
  const resources = grouped(steps, ({ urn, old }) => (old && renamed.get(keyOf(old))) ?? urn.text);
  const former = grouped(steps, ({ urn, old }) => (old?.urn === urn.text ? undefined : old?.urn));
  const current = grouped(steps, ({ urn }) => urn.text);
  const stepsOf: StepsOf = (urn) => [...(current.get(urn) ?? []), ...(former.get(urn) ?? [])];
  const foundOrDone = isRefreshOnly(steps) ? foundOf : fateOf;
  return [...resources].map(([urn, ofResource]) => foundOrDone(urn, ofResource, stepsOf));
}

export const keyOf = ({ urn, id }: StepState): string => JSON.stringify([urn, id]);

/** The engine marks an object while it prints: what one step of its end says, others may not say yet. */
function withFlagsOfAnyStep(steps: readonly PreviewStep[]): readonly PreviewStep[] {
  const ending = grouped(steps.filter(isOfEnd), ({ old }) => old && keyOf(old));
  return steps.map((step) => {
    if (!step.old || !isOfEnd(step)) return step;
    const olds = ending.get(keyOf(step.old))?.flatMap(({ old }) => old ?? []) ?? [];
    const isDeletedFirst = olds.some((old) => old.isDeletedFirst);
    return {
      ...step,
      old: { ...step.old, isDeletedFirst, isPendingDelete: olds.some((old) => old.isPendingDelete) },
    };
  });
}

/** A state whose object leaves the stack, or makes room for another one; `urn` is that of a step, of which it may have several. */
export interface EndedState {
  readonly urn: string;
  readonly state: StepState;
}

/** The states that a run ends, with what any of their steps says of when. */
export const endedStates = (all: readonly PreviewStep[]): EndedState[] =>
  withFlagsOfAnyStep(all).flatMap(({ op, urn, old }) =>
    old && ENDS.has(EFFECTS.get(op)) ? [{ urn: urn.text, state: old }] : [],
  );

const ENDS: ReadonlySet<Effect | undefined> = new Set<Effect>(['deletes', 'replaces', 'drops', 'discards']);

const isOfEnd = ({ op }: Pick<PreviewStep, 'op'>): boolean =>
  ['deletes', 'replaces'].includes(EFFECTS.get(op) ?? '');

/** All steps of a resource, those under another name included. */
type StepsOf = (urn: string) => readonly PreviewStep[];

/** The operations that are shown with `--show-replacement-steps` only. */
export const isPartOfReplacement = (op: string): boolean =>
  op !== 'replace' &&
  (EFFECTS.get(op) === 'replaces' || op.endsWith('-replaced') || op === 'remove-pending-replace');

/** A refresh only reads; any other run has a step of the stack at least. The CLI writes what it found over all steps of a resource. */
export function isRefreshOnly(steps: readonly PreviewStep[]): boolean {
  const read = new Set(steps.filter(({ op }) => op === 'refresh').map(({ urn }) => urn.text));
  const isFound = ({ op, urn }: PreviewStep) => ['update', 'delete'].includes(op) && !read.has(urn.text);
  return read.size > 0 && steps.every((step) => step.op === 'refresh' || isFound(step));
}

/** What `pulumi refresh` has found: nothing of it is done by the run itself. */
function foundOf(urn: string, ofResource: readonly PreviewStep[]): ResourceFate {
  const ofObjects = ofResource.filter(({ old }) => isHeld(old));
  // The CLI writes what it found over all steps of a URN, those of leftovers included.
  const isOverwritten = ofResource.length > 1 && ofResource.some(({ op }) => op !== 'refresh');
  const objects = ofObjects.map((step) => ({
    ...objectOf([step]),
    fate: isOverwritten ? ('contradictory' as const) : foundFate(step),
  }));
  return { urn, objects, isImported: false };
}

function foundFate({ old, new: read }: PreviewStep): Fate {
  if (old?.isDeletedFirst === true) return 'gone';
  return read ? 'changed' : 'deleted';
}

const isHeld = (state: StepState | undefined): state is StepState => state !== undefined && !state.isExternal;

function fateOf(urn: string, ofResource: readonly PreviewStep[], stepsOf: StepsOf): ResourceFate {
  const byId = grouped(
    ofResource.filter((step) => isHeld(step.old) && !isOfNothing(step)),
    ({ old }) => old?.id,
  );
  const ends = ofResource.some(({ op, old }) => op === 'delete' && old?.isPendingDelete !== true);
  const made = ofResource.findLast((step) => step.new && step.op !== 'refresh' && !isOfNothing(step));
  const wanted = ends || made?.new?.isExternal === true ? undefined : made;
  const objects = [...byId.values()].flatMap((steps): StateObject[] => {
    const object = objectOf(steps);
    // With `destroy --run-program`, a successor is made and deleted; without an id it is in no state.
    if (object.state.id === undefined && byId.size > 1) return [];
    const fate = fateOfObject(steps, ofResource, stepsOf);
    // With `--target`, what is replaced may wait for its delete.
    const isLeftover = object.isLeftover || (fate === 'kept' && steps.every(({ op }) => op !== 'same'));
    return [{ ...object, fate, isLeftover }];
  });
  const olds = objects.map(({ state }) => state.importId ?? state.id);
  const isImported =
    ofResource.some(({ op }) => op.startsWith('import')) ||
    (ofResource.some(({ op }) => op === 'replace') &&
      wanted?.new?.importId !== undefined &&
      !olds.includes(wanted.new.importId));
  return { urn, objects, ...(wanted && { wanted }), isImported };
}

/** A `same` of nothing live: `--target` or a destroy leaves out a create (no id), or an object that an earlier run has deleted. */
const isOfNothing = ({ op, old, type }: PreviewStep): boolean =>
  op === 'same' && resourceTypeOf(type) !== undefined && (old?.id === undefined || old.isDeletedFirst);

function objectOf(steps: readonly PreviewStep[]): Omit<StateObject, 'fate'> {
  const step = steps.find(({ op }) => op !== 'refresh') ?? steps[0];
  if (!step?.old) throw new Error('an object has an old side');
  return {
    step,
    state: step.old,
    isLeftover: step.old.isPendingDelete && EFFECTS.get(step.op) === 'deletes',
    isDeletedFirst: steps.some(({ old }) => old?.isDeletedFirst === true),
  };
}

function fateOfObject(
  all: readonly PreviewStep[],
  ofResource: readonly PreviewStep[],
  stepsOf: StepsOf,
): Fate {
  const steps = all.filter(({ op }) => op !== 'refresh');
  const effects = new Set(steps.map(({ op }) => EFFECTS.get(op)));
  if (effects.has('discards') || effects.has('makes') || effects.has(undefined)) return 'contradictory';
  if (steps.some(isLeftoverThatStays)) return 'contradictory';
  if (effects.has('deletes')) return endOf(steps, stepsOf);
  if (all.some(({ old }) => old?.isDeletedFirst === true) && !isInOneStep(steps)) return 'gone';
  if (effects.has('replaces'))
    return isInOneStep(steps) || steps.some(mayBeLookedUp) ? endOf(steps, stepsOf) : 'kept';
  if (effects.has('looks up')) return steps.every(isSameObject) ? 'get' : 'contradictory';
  if (effects.has('changes')) return 'changed';
  if (effects.has('keeps')) return 'kept';
  // A refresh has found it gone; the program makes it again, or has dropped it, which no step tells from a hidden one.
  return ofResource.some(({ op }) => op === 'create') ? 'gone' : 'contradictory';
}

/** The engine does nothing with what an earlier run has replaced but delete it. */
const isLeftoverThatStays = ({ op, old }: PreviewStep): boolean =>
  old?.isPendingDelete === true && ['keeps', 'changes', 'looks up'].includes(EFFECTS.get(op) ?? '');

/** Without `--show-replacement-steps`, one step is the whole replacement. */
const isInOneStep = (steps: readonly PreviewStep[]): boolean =>
  steps.length > 0 && steps.every(({ op }) => op === 'replace');

const isSameObject = ({ op, old, new: next }: PreviewStep): boolean =>
  op !== 'read' || (old?.id !== undefined && next?.isExternal === true && old.id === next.id);

/** The end of an object that is not retained depends on that of its `deletedWith`: the engine skips the delete if that one goes, too. */
function endOf(steps: readonly PreviewStep[], stepsOf: StepsOf): Fate {
  // A destroy that runs the program takes the options from it, and the last step shows them.
  const { isRetainedOnDelete, deletedWith: target } = steps.at(-1)?.old ?? {};
  if (isRetainedOnDelete === true) return 'retainOnDelete';
  if (steps.some(mayBeLookedUp)) return 'unknown';
  if (target === undefined) return 'deleted';
  const its = stepsOf(target);
  if (its.length > 0 && its.every(({ op }) => STAYS.has(op))) return 'deleted';
  if (!its.some(isEnd) || its.some(mayBeLookedUp)) return 'unknown';
  if (steps.some(isEnd)) return 'deletedWith';
  // In the middle of a replacement, versions differ in what they skip.
  return its.some(({ op, old }) => isOfEnd({ op }) && old?.isDeletedFirst === true) ? 'unknown' : 'deleted';
}

const STAYS: ReadonlySet<string> = new Set(['same', 'update', 'refresh']);

/** A delete after the program has ended: of what left it, or of what has its successor by then. */
const isEnd = ({ op, old }: PreviewStep): boolean =>
  op === 'delete' || op === 'discard' || old?.isPendingDelete === true;

/** If the id of a look-up is unknown yet, the `up` may find the same object, which it then only forgets. */
const mayBeLookedUp = ({ op, new: next }: PreviewStep): boolean =>
  op !== 'create-replacement' && next?.isExternal === true && (next.id === undefined || isUnknown(next.id));
