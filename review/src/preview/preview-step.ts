import { asArray, asObject, asString, type JsonObject } from './json-reading';
import { parseUrn, type ResourceUrn } from './resource-urn';
import { sourceOf, type SourcePosition } from './source-position';

/** One side of a step: the resource before or after it. */
export interface StepState {
  readonly id?: string;
  /** Differs from the step's URN if an alias moves the resource. */
  readonly urn: string;
  readonly type: string;
  /** The URN of its provider, and an identifier. */
  readonly provider?: string;
  /** As `check` returned them. Absent for a resource that does not exist on this side. */
  readonly inputs?: JsonObject;
  readonly outputs?: JsonObject;
  readonly source?: SourcePosition;
  /** Deleting it leaves the object on the service. */
  readonly isRetainedOnDelete: boolean;
  /** The engine deletes this resource before it creates its successor, or did so in an earlier run. */
  readonly isDeletedFirst: boolean;
  /** It has a successor already, and is deleted last, in this run or in a later one. */
  readonly isPendingDelete: boolean;
  readonly isProtected: boolean;
  /** The resource whose deletion removes this one from the state without a request. */
  readonly deletedWith?: string;
  /** A look-up of an object that the stack does not manage. */
  readonly isExternal: boolean;
  /** The object that the program asks the engine to import. */
  readonly importId?: string;
}

/** The plan of the engine for one resource. */
export interface PreviewStep {
  readonly op: string;
  readonly urn: ResourceUrn;
  readonly type: string;
  readonly old?: StepState;
  readonly new?: StepState;
  /** Whether the step says why the resource is replaced. */
  readonly hasReasons: boolean;
}

/** Reads one entry of `steps`; parts that are missing or of another type are omitted rather than guessed. */
export function readStep(value: unknown): PreviewStep {
  const step = asObject(value) ?? {};
  const urn = parseUrn(asString(step['urn']) ?? '');
  const [oldState, newState] = [step['oldState'], step['newState']].map((state) =>
    readState(state, urn.text),
  );
  return {
    op: asString(step['op']) ?? '',
    urn,
    // A step without states is still about the resource that its URN names.
    type: newState?.type ?? oldState?.type ?? urn.type,
    ...(oldState && { old: oldState }),
    ...(newState && { new: newState }),
    hasReasons: asArray(step['replaceReasons']).length > 0,
  };
}

/** Reads one side of a step, or an entry of a state; `urn` is for a side that names none. */
export function readState(value: unknown, urn: string): StepState | undefined {
  const state = asObject(value);
  if (!state) return undefined;
  const id = asString(state['id']);
  const provider = asString(state['provider']);
  const inputs = asObject(state['inputs']);
  const outputs = asObject(state['outputs']);
  const source = sourceOf(state);
  const deletedWith = asString(state['deletedWith']);
  const importId = asString(state['importID']);
  return {
    type: asString(state['type']) ?? '',
    urn: asString(state['urn']) ?? urn,
    ...(id !== undefined && id !== '' && { id }),
    ...(provider !== undefined && { provider }),
    ...(inputs && { inputs }),
    ...(outputs && { outputs }),
    ...(source && { source }),
    isRetainedOnDelete: state['retainOnDelete'] === true,
    isDeletedFirst: state['pendingReplacement'] === true,
    isPendingDelete: state['delete'] === true,
    isProtected: state['protect'] === true,
    isExternal: state['external'] === true,
    ...(deletedWith !== undefined && deletedWith !== '' && { deletedWith }),
    ...(importId !== undefined && importId !== '' && { importId }),
  };
}
