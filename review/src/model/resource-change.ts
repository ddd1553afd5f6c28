import type { JsonObject } from '../preview/json-reading';
import type { PreviewStep, StepState } from '../preview/preview-step';
import { type ResourceType, resourceTypeOf } from '../preview/resource-type';
import { compareText } from '../text/compare-text';
import type { Origin } from './declarations';

/** What happens to one resource. */
export type ChangeKind = 'unchanged' | 'create' | 'update' | 'replace' | 'delete' | 'forget';

/** A resource on one side of the change. */
export interface ResourceSide {
  readonly origin: Origin;
  readonly inputs: JsonObject;
  readonly outputs: JsonObject;
  /** The service's identifier, if it is known. */
  readonly id?: string;
}

/** One resource before and after. A resource that is absent on a side does not exist there. */
export interface ResourceChange {
  readonly kind: ChangeKind;
  readonly type: ResourceType;
  readonly before?: ResourceSide;
  readonly after?: ResourceSide;
  /** For a replacement: the old one where it stays on the service, as it has retainOnDelete. */
  readonly left?: ResourceSide;
  /** For a replacement: the old one goes before the new one is there. */
  readonly isDeletedFirst: boolean;
}

/** Steps that say nothing of the program's wish: a look at the service, or a look-up of a foreign resource. */
const IGNORED_OPS = new Set([
  'refresh',
  'read',
  'read-replacement',
  'read-discard',
  'discard-replaced',
  'discard',
  // What an interrupted replacement deleted already; only its entry in the state goes.
  'remove-pending-replace',
]);
const REPLACE_OPS = new Set(['replace', 'create-replacement', 'delete-replaced', 'import-replacement']);

/**
 * The changes of the resources this package knows, in the order of their URNs: the engine plans in parallel, so the
 * order of its steps differs from one preview to the next.
 */
export function resourceChanges(steps: readonly PreviewStep[]): ResourceChange[] {
  const relevant = steps.filter((step) => resourceTypeOf(step.type) && !IGNORED_OPS.has(step.op));
  const replacements = new Map<string, PreviewStep>();
  const others: PreviewStep[] = [];
  for (const step of relevant) {
    if (REPLACE_OPS.has(step.op))
      replacements.set(step.urn.text, mergeReplacement(replacements.get(step.urn.text), step));
    else others.push(step);
  }
  return [...replacements.values(), ...others]
    .flatMap((step) => toChange(step) ?? [])
    .map((change) => ({ change, key: sortKey(change) }))
    .sort((left, right) => compareText(left.key, right.key))
    .map(({ change }) => change);
}

/** A replacement can come as one step or as three (create, replace, delete): together they have both sides. */
function mergeReplacement(earlier: PreviewStep | undefined, step: PreviewStep): PreviewStep {
  const old = earlier?.old ?? step.old;
  const wanted = step.op === 'delete-replaced' ? earlier?.new : (step.new ?? earlier?.new);
  return {
    op: 'replace',
    urn: step.urn,
    type: step.type,
    ...(old && { old }),
    ...(wanted && { new: wanted }),
  };
}

function toChange(step: PreviewStep): ResourceChange | undefined {
  const type = resourceTypeOf(step.type);
  if (!type) return undefined;
  const before = sideOf(step, type, step.op === 'import' ? step.new : step.old);
  // What is left of an interrupted replacement goes without a successor, and may be retained as well.
  const isGoing = step.op === 'delete' || (step.op === 'replace' && !step.new);
  const isForgotten = isGoing && step.old?.isRetainedOnDelete === true;
  const after = sideOf(step, type, isForgotten ? step.old : step.op === 'delete' ? undefined : step.new);
  const kind = isForgotten ? 'forget' : kindOf(step.op, before, after);
  if (!kind) return undefined;
  const isLeft = kind === 'replace' && step.old?.isRetainedOnDelete === true && staysBeside(before, after);
  return {
    kind,
    type,
    ...(before && { before }),
    ...(after && { after }),
    ...(isLeft && before && { left: before }),
    isDeletedFirst: step.old?.isDeletedFirst === true,
  };
}

/** A module has one place: its successor at the same place overwrites it, whatever is retained. */
function staysBeside(before?: ResourceSide, after?: ResourceSide): boolean {
  if (before?.origin.type === 'IpPolicyRule' || before?.origin.type === 'IpPolicyRuleSet') return true;
  return ['edgeId', 'routeId'].some((key) => before?.inputs[key] !== after?.inputs[key]);
}

/** A create that `--target` leaves out comes as `same` without inputs: it exists on neither side. */
function sideOf(
  step: PreviewStep,
  type: ResourceType,
  state: StepState | undefined,
): ResourceSide | undefined {
  if (!state?.inputs) return undefined;
  const origin: Origin = {
    urn: step.urn.text,
    name: step.urn.name,
    type,
    ...(state.source && { source: state.source }),
  };
  return {
    origin,
    inputs: state.inputs,
    outputs: state.outputs ?? {},
    ...(state.id !== undefined && { id: state.id }),
  };
}

function kindOf(op: string, before?: ResourceSide, after?: ResourceSide): ChangeKind | undefined {
  if (!before && !after) return undefined;
  if (!before) return 'create';
  if (!after) return 'delete';
  if (op === 'replace' || op === 'update') return op;
  return 'unchanged';
}

const sortKey = (change: ResourceChange): string =>
  `${change.before?.origin.urn ?? change.after?.origin.urn ?? ''}\n${change.kind}`;
