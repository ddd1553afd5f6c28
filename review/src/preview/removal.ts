// The end of an object, which depends on when the engine deletes it and what else it deletes until then.
import { grouped } from 'pulumi-edge-policy/internal/values/grouped';
import type { PreviewStep } from './preview-step';

/** Whether the engine deletes an object, or why it leaves it on the service. */
export type Removal = 'deleted' | 'retainOnDelete' | 'deletedWith' | 'unknown';

/** All steps of a run, by URN; what the fate of a resource depends on besides its own steps. */
export interface Run {
  readonly resources: ReadonlyMap<string, readonly PreviewStep[]>;
  /** Under a former name, too. */
  readonly steps: ReadonlyMap<string, readonly PreviewStep[]>;
  /** `pulumi refresh`: nothing else happens. */
  readonly isRefresh: boolean;
  /** Exactly one replacement deletes others before it, and it is known which those are. */
  readonly hasOneChain: boolean;
}

/** Puts the steps of a run in order. */
export function runOf(steps: readonly PreviewStep[]): Run {
  const resources = grouped(steps, ({ urn }) => urn.text);
  const moved = steps.filter(({ urn, old }) => old && old.urn !== urn.text);
  const former = grouped(moved, ({ old }) => old?.urn ?? '');
  const parts = [...resources.values()].filter((own) => own.some(isDeletedMidway)).map(partIn);
  return {
    resources,
    steps: new Map<string, readonly PreviewStep[]>([...former, ...resources]),
    isRefresh: isRefreshOnly(steps),
    hasOneChain: parts.filter((part) => part === 'head').length === 1 && !parts.includes('unclear'),
  };
}

/**
 * Whether the run is a `pulumi refresh`, which only reads. The CLI writes what it found over all steps of a resource; any other
 * step is one of an `up` or a destroy, of which every preview has at least that of the stack.
 */
export function isRefreshOnly(steps: readonly PreviewStep[]): boolean {
  const read = new Set(steps.filter(({ op }) => op === 'refresh').map(({ urn }) => urn.text));
  const isFound = ({ op, urn }: PreviewStep) => FOUND.has(op) && !read.has(urn.text);
  return read.size > 0 && steps.every((step) => step.op === 'refresh' || isFound(step));
}

/** The operations with which the CLI says what a refresh has found. */
const FOUND: ReadonlySet<string> = new Set(['update', 'delete']);

/** What the end of an object depends on besides its own steps. */
export interface Circumstances {
  /** All steps of the resource. */
  readonly own: readonly PreviewStep[];
  readonly run: Run;
  readonly wanted: PreviewStep | undefined;
}

/** The end of an object whose entry leaves the state (`DeleteStep.Apply`). */
export function removal(steps: readonly PreviewStep[], { own, run, wanted }: Circumstances): Removal {
  const { isRetainedOnDelete = false, deletedWith: target } = steps.at(-1)?.old ?? {};
  if (isRetainedOnDelete) return 'retainOnDelete';
  if (target === undefined) return 'deleted';
  const targetSteps = run.steps.get(target);
  if (!targetSteps || isHalfShown(targetSteps)) return 'unknown';
  // Deletes come last, and then the engine knows all others (`GenerateDeletes`).
  const isLast = steps.some(isDeletedAtEnd);
  if (isLast) return targetSteps.some(isDeletedAtEnd) || isDropped(targetSteps) ? 'deletedWith' : 'deleted';
  // While the program runs, it only knows what a replacement has deleted before itself, and has not made again.
  if (!targetSteps.some(isDeletedMidway)) return 'deleted';
  const [part, partOfTarget] = [partIn(own), partIn(targetSteps)];
  if (partOfTarget === 'head') return 'deleted';
  if (partOfTarget === 'unclear' || part === 'unclear') return 'unknown';
  if (part === 'head') return wanted?.new?.deletedWith === target ? 'deleted' : 'unknown';
  return run.hasOneChain ? 'deletedWith' : 'unknown';
}

/** The engine marks what it replaces: it is deleted before its successor is made, or after. */
const isHalfShown = (own: readonly PreviewStep[]): boolean =>
  own.some(({ op }) => op === 'replace') &&
  !own.some(({ old }) => old?.isDeletedFirst === true || old?.isPendingDelete === true);

/** A delete after the program has ended: of what left it, or of what has its successor by then. */
const isDeletedAtEnd = ({ op, old }: PreviewStep): boolean =>
  op === 'delete' || op === 'discard' || old?.isPendingDelete === true;

/** Deleted before another one is made again, and not made again itself: it has left the program. */
const isDropped = (own: readonly PreviewStep[]): boolean =>
  own.some(isDeletedMidway) && !own.some((step) => step.new && step.op !== 'refresh');

/** A delete before the successor is made. */
const isDeletedMidway = ({ op, old }: PreviewStep): boolean =>
  (op === 'delete-replaced' && old?.isPendingDelete !== true) ||
  (op === 'replace' && old?.isDeletedFirst === true);

/** Whether a resource is replaced for itself, or because another one is: the engine notes the reasons at different steps. */
function partIn(own: readonly PreviewStep[]): 'head' | 'dependent' | 'unclear' {
  const hasReasons = (op: string) => own.some((step) => step.op === op && step.hasReasons);
  if (hasReasons('replace')) return 'head';
  return isDropped(own) || hasReasons('create-replacement') ? 'dependent' : 'unclear';
}
