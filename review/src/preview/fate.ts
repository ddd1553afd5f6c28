// What a run of the engine leaves live of every object that the state holds. The rules are those of `step.go` and
// `step_generator.go` in pkg/resource/deploy of Pulumi 3.259, whatever a step is called; a step that breaks them decides nothing.
import { grouped } from 'pulumi-edge-policy/internal/values/grouped';
import { isUnknown } from 'pulumi-edge-policy/internal/values/unknowns';
import type { PreviewStep, StepState } from './preview-step';
import { type Circumstances, removal, type Removal, type Run, runOf } from './removal';
import { resourceTypeOf } from './resource-type';

/**
 * What becomes of an object that the state holds: it is live as it was, live with other content, or deleted; it leaves the stack
 * and stays live, for that reason; an earlier run, or others, have deleted it; or the steps do not tell.
 */
export type Fate = Removal | 'kept' | 'changed' | 'get' | 'gone';

/** Why an object stays on the service when it leaves the stack. With `get`, the program only looks it up from now on. */
export type Retention = Exclude<Fate, 'kept' | 'changed' | 'deleted' | 'gone' | 'unknown'>;

/** An object of the state, and its fate. */
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

/** The operations that the engine shows. Any other may do anything. */
const EFFECTS: ReadonlyMap<string, Effect> = new Map<string, Effect>([
  ['same', 'keeps'],
  ['update', 'changes'],
  ['delete', 'deletes'],
  ['delete-replaced', 'deletes'],
  ['replace', 'replaces'],
  ['create-replacement', 'replaces'],
  ['import-replacement', 'replaces'],
  ['read-replacement', 'replaces'],
  ['read', 'looks up'],
  // The entry of an object that is deleted already. The CLI does not show it.
  ['remove-pending-replace', 'drops'],
  ['refresh', 'reads'],
  ['create', 'makes'],
  ['import', 'makes'],
  // The entries of look-ups, which are no objects of the stack.
  ['discard', 'discards'],
  ['discard-replaced', 'discards'],
]);

/** Whether the engine has an operation of that name. */
export const isOperation = (op: string): boolean => EFFECTS.has(op);

/** The fate of every object, by resource, in the order of the steps. */
export function fatesOf(steps: readonly PreviewStep[]): ResourceFate[] {
  const run = runOf(steps);
  return [...run.resources].map(([urn, own]) => (run.isRefresh ? foundOf(urn, own) : fateOf(urn, own, run)));
}

/** The operations that are shown with `--show-replacement-steps` only. */
export const isPartOfReplacement = (op: string): boolean =>
  op !== 'replace' &&
  (EFFECTS.get(op) === 'replaces' || op.endsWith('-replaced') || op === 'remove-pending-replace');

/** What `pulumi refresh` has found: nothing of it is done by the run itself. */
function foundOf(urn: string, own: readonly PreviewStep[]): ResourceFate {
  const held = own.filter(({ old }) => isHeld(old));
  // The CLI writes what it found over all steps of a URN, those of leftovers included.
  const isOverwritten = own.length > 1 && own.some(({ op }) => op !== 'refresh');
  const objects = held.map((step) => ({
    ...objectOf([step]),
    fate: isOverwritten ? ('unknown' as const) : foundFate(step),
  }));
  return { urn, objects, isImported: false };
}

function foundFate({ old, new: found }: PreviewStep): Fate {
  if (old?.isDeletedFirst === true) return 'gone';
  return found ? 'changed' : 'deleted';
}

/** An entry of the state that is an object of the stack. */
const isHeld = (state: StepState | undefined): state is StepState => state !== undefined && !state.isExternal;

function fateOf(urn: string, own: readonly PreviewStep[], run: Run): ResourceFate {
  const byId = grouped(
    own.filter((step) => isHeld(step.old) && !isOfNothing(step)),
    ({ old }) => old?.id,
  );
  const ends = own.some(({ op, old }) => op === 'delete' && old?.isPendingDelete !== true);
  const made = own.findLast((step) => step.new && step.op !== 'refresh' && !isOfNothing(step));
  const wanted = ends || made?.new?.isExternal === true ? undefined : made;
  const objects = [...byId.values()].flatMap((steps): StateObject[] => {
    const object = objectOf(steps);
    // With `destroy --run-program`, a successor is made and deleted; without an id it is in no state.
    if (object.state.id === undefined && byId.size > 1) return [];
    const fate = fateOfObject(steps, { own, run, wanted });
    // With `--target`, what is replaced may wait for its delete.
    const isLeftover = object.isLeftover || (fate === 'kept' && steps.every(({ op }) => op !== 'same'));
    return [{ ...object, fate, isLeftover }];
  });
  const olds = objects.map(({ state }) => state.importId ?? state.id);
  const isImported =
    own.some(({ op }) => op.startsWith('import')) ||
    (own.some(({ op }) => op === 'replace') &&
      wanted?.new?.importId !== undefined &&
      !olds.includes(wanted.new.importId));
  return { urn, objects, ...(wanted && { wanted }), isImported };
}

/**
 * What `same` says of nothing: a create that `--target` or a destroy leaves out, with both sides as declared and without an id; or
 * an object that an earlier run has deleted, and that `--target` leaves out of this one.
 */
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

function fateOfObject(all: readonly PreviewStep[], circumstances: Circumstances): Fate {
  const { own } = circumstances;
  const steps = all.filter(({ op }) => op !== 'refresh');
  const effects = new Set(steps.map(({ op }) => EFFECTS.get(op)));
  if (effects.has('discards') || effects.has('makes') || effects.has(undefined)) return 'unknown';
  if (steps.some(isLeftoverThatStays)) return 'unknown';
  if (isGoneBefore(all)) return 'gone';
  if (effects.has('deletes')) return removal(steps, circumstances);
  if (effects.has('replaces')) {
    if (steps.some(({ op, new: next }) => isReplacedByLookUp(op, next))) return 'unknown';
    return isWhole(steps) ? 'kept' : removal(steps, circumstances);
  }
  if (effects.has('looks up')) return steps.every(isSameObject) ? 'get' : 'unknown';
  if (effects.has('changes')) return 'changed';
  if (effects.has('keeps')) return 'kept';
  // A refresh has found it gone; the program makes it again, or has dropped it, which no step tells from a hidden one.
  return own.some(({ op }) => op === 'create') ? 'gone' : 'unknown';
}

/** The engine does nothing with what an earlier run has replaced but delete it. */
const isLeftoverThatStays = ({ op, old }: PreviewStep): boolean =>
  old?.isPendingDelete === true && ['keeps', 'changes', 'looks up'].includes(EFFECTS.get(op) ?? '');

/** An earlier run has deleted it. What this run deletes before its successor has that mark from its delete on. */
const isGoneBefore = (steps: readonly PreviewStep[]): boolean =>
  steps[0]?.old?.isDeletedFirst === true && isWhole(steps);

/** Without `--show-replacement-steps`, one step is the whole replacement. */
const isWhole = (steps: readonly PreviewStep[]): boolean => steps.some(({ op }) => op !== 'replace');

const isSameObject = ({ op, old, new: next }: PreviewStep): boolean =>
  op !== 'read' || (old?.id !== undefined && next?.isExternal === true && old.id === next.id);

/** If its id is unknown yet, the `up` may find the same object, which it then only forgets. */
const isReplacedByLookUp = (op: string, next: StepState | undefined): boolean =>
  op !== 'create-replacement' && next?.isExternal === true && isUnknown(next.id);
