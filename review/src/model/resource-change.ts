import { fatesOf, type ResourceFate, type Retention, type StateObject } from '../preview/fate';
import { grouped } from 'pulumi-edge-policy/internal/values/grouped';
import type { JsonObject } from '../preview/json-reading';
import type { PreviewStep, StepState } from '../preview/preview-step';
import type { PendingOperation } from '../preview/stack-state';
import { isModuleType, parseUrn, type ResourceType, resourceTypeOf } from '../preview/resource-type';
import { compareText } from '../text/sentence';
import type { Origin } from './declarations';
import type { Obstacle } from './known';
import { clearestInputs, declaredInputs, liveInputs, lookedUpInputs, type SideInputs } from './live-inputs';
import { identityFields } from './read-modules';
import { alternativeOf, sentInputs } from './unsettled';

export type ChangeKind = 'unchanged' | 'create' | 'update' | 'replace' | 'delete' | 'forget';

export interface ResourceSide extends SideInputs {
  readonly origin: Origin;
  readonly id?: string;
  /** Why it may not be live, or not as it is shown. */
  readonly doubt?: Obstacle;
  /** The inputs that it also may have, as its last write is not settled. */
  readonly alternative?: JsonObject;
}

/** One object before and after. A resource may have several: retained by a replacement, or left half replaced by an earlier run. */
export interface ResourceChange {
  readonly kind: ChangeKind;
  readonly type: ResourceType;
  readonly before?: ResourceSide;
  readonly after?: ResourceSide;
  /** Why a forgotten object stays on the service, or may stay. */
  readonly retention?: Retention;
  /** The old object is deleted in the middle of the run, before its successor is created, if it has one. */
  readonly isDeletedFirst: boolean;
}

/** In the order of their URNs: the engine plans in parallel, so the order of its steps differs between previews. */
export function resourceChanges(
  steps: readonly PreviewStep[],
  pending: readonly PendingOperation[] = [],
): ResourceChange[] {
  const fates = fatesOf(steps);
  return withPending([...fates.flatMap(changesOf), ...lookUpsOf(steps, fates)], pending)
    .map((change) => {
      const { before, after, kind } = change;
      return { change, key: [before?.origin.urn ?? after?.origin.urn, kind, before?.id].join('\n') };
    })
    .sort((left, right) => compareText(left.key, right.key))
    .map(({ change }) => change);
}

/** What an interrupted run has begun is done, or is not. The end of a module is not decidable, so nothing is said of it here. */
function withPending(
  changes: readonly ResourceChange[],
  pending: readonly PendingOperation[],
): ResourceChange[] {
  const begun = grouped(pending, ({ state }) => state.urn);
  const open = (side: ResourceSide | undefined): ResourceSide | undefined =>
    side &&
    (begun.get(side.origin.urn) ?? []).reduce<ResourceSide>((of, { type, state: { inputs = {} } }) => {
      if (type === 'updating') {
        // What it adds to a set is in no state, and an object of its own.
        const left = { ...inputs, rules: linesIn(of.inputs['rules'], inputs['rules'], { isShared: true }) };
        return { ...of, alternative: alternativeOf(of.origin.type, of.inputs, left) };
      }
      return type === 'deleting' ? { ...of, doubt: of.doubt ?? 'unsettled' } : of;
    }, side);
  const ofObjects = changes.map((change): ResourceChange => {
    if (!begun.has(change.before?.origin.urn ?? '')) return change;
    const before = open(change.before);
    const after = change.kind === 'unchanged' ? open(change.after) : change.after;
    return { ...change, ...(before && { before }), ...(after && { after }) };
  });
  const inputsByUrn = new Map(
    changes.flatMap(({ before }) => (before ? [[before.origin.urn, before.inputs]] : [])),
  );
  const made = pending.flatMap((operation): ResourceChange[] => {
    const side = madeBy(operation, inputsByUrn);
    return changeOf({ kind: 'unchanged', before: side, after: side });
  });
  return [...ofObjects, ...made];
}

/** The objects of a state by itself, as they were live: of what is unsettled, or begun by an interrupted run, either may have been. */
export const recordedSides = (
  sides: readonly ResourceSide[],
  pending: readonly PendingOperation[],
): ResourceSide[] =>
  withPending(
    sides.flatMap((side) => {
      const open = unsettledSide({ ...side, ...liveInputs(side) });
      return changeOf({ kind: 'unchanged', before: open, after: open });
    }),
    pending,
  ).flatMap(({ before }) => before ?? []);

/** What an interrupted operation may have made and put into no state: an object, or the new rules of a set. */
function madeBy(
  { type, state }: PendingOperation,
  inputsByUrn: ReadonlyMap<string, JsonObject>,
): ResourceSide | undefined {
  const { inputs, urn } = state;
  if (type === 'creating' || type === 'importing') return pendingSide(state);
  if (type !== 'updating' || !inputs || resourceTypeOf(state.type) !== 'IpPolicyRuleSet') return undefined;
  const rules = linesIn(inputs['rules'], inputsByUrn.get(urn)?.['rules'], { isShared: false });
  return pendingSide({ ...state, inputs: { ...inputs, rules } });
}

function pendingSide(state: StepState): ResourceSide | undefined {
  const type = resourceTypeOf(state.type);
  if (!type || !state.inputs) return undefined;
  const origin: Origin = { urn: state.urn, name: parseUrn(state.urn).name, type };
  return { origin, inputs: state.inputs, outputs: {}, doubt: 'unsettled' };
}

/** The lines of a text of rules that another one has as well, or has not; a hidden text may have any. */
function linesIn(text: unknown, other: unknown, { isShared }: { readonly isShared: boolean }): unknown {
  if (typeof text !== 'string' || typeof other !== 'string') return text;
  const [head, ...lines] = text.split('\n');
  const known = new Set(other.split('\n').map(ruleIn));
  return [head, ...lines.filter((line) => line === '' || known.has(ruleIn(line)) === isShared)].join('\n');
}

/** The network and the action of a line. */
const ruleIn = (line: string): string => /^\S+: \w+/.exec(line)?.[0] ?? line;

/** A looked-up object is live on both sides, unless the stack manages it; its content is that of the last run, or what its id tells. */
function lookUpsOf(steps: readonly PreviewStep[], fates: readonly ResourceFate[]): ResourceChange[] {
  const managed = new Set(fates.flatMap(({ objects }) => objects.map(({ state }) => state.id)));
  const lookUps = new Map<string, ResourceChange[]>();
  for (const step of steps) {
    const type = resourceTypeOf(step.type);
    for (const state of [step.old, step.new]) {
      const key = JSON.stringify([step.urn.text, state?.id]);
      if (
        !type ||
        !state?.isExternal ||
        lookUps.has(key) ||
        (state.id !== undefined && managed.has(state.id))
      )
        continue;
      const inputs = lookedUpInputs(type, state.id, state === step.old ? state.outputs : undefined);
      const side = sideOf(step, state, inputs);
      const seen: ResourceSide | undefined = side && { ...side, doubt: 'look-up' };
      lookUps.set(key, changeOf({ kind: 'unchanged', before: seen, after: seen }));
    }
  }
  return [...lookUps.values()].flat();
}

export const isLookedUp = ({ before }: ResourceChange): boolean => before?.doubt === 'look-up';

/** An object that an interrupted run may have made; it is in no state, so no run changes or deletes it. */
export const isBegun = ({ before }: ResourceChange): boolean =>
  before?.doubt === 'unsettled' && before.id === undefined;

/** What the program wants follows the current object of the resource; other objects only go, or stay. */
function changesOf({ objects, wanted, isImported }: ResourceFate): ResourceChange[] {
  if (!wanted) return objects.map(endOf).flatMap(changeOf);
  const after = wantedSide(wanted);
  const candidates = objects.filter(({ isLeftover }) => !isLeftover);
  const current =
    candidates.find(({ fate }) => fate === 'kept' || fate === 'changed') ??
    (isImported ? undefined : candidates.find((object) => isSucceeded(object, after)));
  const others = objects.filter((object) => object !== current).map(endOf);
  return [...others, successionOf(current, wanted, isImported)].flatMap(changeOf);
}

/** What becomes of the current object of a resource that stays in the stack; an import finds it live, and leaves it as it is. */
function successionOf(current: StateObject | undefined, wanted: PreviewStep, isImported: boolean): Sides {
  const live = isImported ? liveSide(wanted, wanted.new) : undefined;
  const after = wantedSide(wanted);
  if (!current) return { kind: 'unchanged', before: live, after: live ?? after };
  const { fate, step, state, isDeletedFirst } = current;
  const before = liveSide(step, state);
  if (fate === 'changed') return { kind: 'update', before, after };
  if (fate !== 'kept') return { kind: 'replace', before, after, isDeletedFirst };
  // The engine's word that nothing changes is clearer than what it shows.
  const inputs = clearestInputs(state, wanted.new);
  const side = (of: StepState | undefined) => unsettledSide(sideOf(wanted, of, inputs(of)));
  return { kind: 'unchanged', before: side(state), after: side(wanted.new) };
}

function endOf({ fate, step, state, isDeletedFirst }: StateObject): Sides {
  const before = liveSide(step, state);
  switch (fate) {
    case 'deleted':
      return { kind: 'delete', before, isDeletedFirst };
    case 'gone':
    case 'contradictory':
      return { kind: 'delete' };
    case 'kept':
      return { kind: 'unchanged', before, after: before };
    case 'changed':
      return { kind: 'update', before, after: liveSide(step, step.new) };
    default:
      // Two sides, as nobody ends its rules any more.
      return {
        kind: 'forget',
        before,
        after: before && { ...before, ...(fate === 'unknown' && { doubt: 'fate' }) },
        retention: fate,
      };
  }
}

/** A module has one place: its successor at the same place overwrites it, even if it is retained. */
function isSucceeded({ fate, step, state }: StateObject, after: ResourceSide | undefined): boolean {
  if (fate === 'deleted') return true;
  const type = resourceTypeOf(step.type);
  const before = liveSide(step, state);
  return (
    fate !== 'gone' &&
    type !== undefined &&
    isModuleType(type) &&
    identityFields(type).every((name) => before?.inputs[name] === after?.inputs[name])
  );
}

const liveSide = (step: PreviewStep, state: StepState | undefined): ResourceSide | undefined =>
  unsettledSide(sideOf(step, state, liveInputs(state)));

function unsettledSide(side: ResourceSide | undefined): ResourceSide | undefined {
  const sent = side && sentInputs(side.outputs);
  return sent ? { ...side, alternative: alternativeOf(side.origin.type, side.inputs, sent) } : side;
}

const wantedSide = (step: PreviewStep): ResourceSide | undefined =>
  sideOf(step, step.new, declaredInputs(step.new));

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
  readonly retention?: Retention;
  readonly isDeletedFirst?: boolean;
}

function changeOf({ kind, before, after, retention, isDeletedFirst = false }: Sides): ResourceChange[] {
  const type = (before ?? after)?.origin.type;
  if (!type) return [];
  return [
    {
      kind: !before ? 'create' : !after ? 'delete' : kind,
      type,
      ...(before && { before }),
      ...(after && { after }),
      ...(retention && { retention }),
      isDeletedFirst,
    },
  ];
}

/** The origins of unchanged objects, hidden values included, as the engine compares them; not of what leaves, which nobody compares. */
export const keptOrigins = (changes: readonly ResourceChange[]): ReadonlySet<Origin> =>
  new Set(
    changes
      .filter(({ kind }) => kind === 'unchanged')
      .flatMap(({ before, after }) => [before, after].flatMap((side) => side?.origin ?? [])),
  );
