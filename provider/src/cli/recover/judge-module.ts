import type { ApiClient } from '../../api/client';
import { changedFields } from '../../fields/field';
import { liveModule, moduleIdOf, moduleState } from '../../resources/module-kind';
import { moduleKind } from '../../resources/modules';
import { liveKey, type ModuleType } from '../../resources/provider-reference';
import { UNPROVEN } from './judge-rule';
import { isHidden, type Operation, outputsOf, type Verdict } from './judged-operation';

/** The evidence by which an interrupted create of a module is judged. */
export interface ModuleEvidence {
  readonly client: ApiClient;
  /** The live objects of resources in state, and those already brought in for another operation. */
  readonly takenIds: ReadonlySet<string>;
  /** Whether the state says that the operation began. */
  readonly isRecorded: boolean;
  /** Ids that the operator has said to take. */
  readonly takeIds: readonly string[];
}

/**
 * A module has one place, so there is never a choice: it is there as declared, or the next `up` decides again. That `up` takes
 * over an equal module, but only if the program still declares it; so without a record, the verdict names the module.
 */
export async function judgeModuleCreate(
  type: ModuleType,
  operation: Operation,
  { client, takenIds, isRecorded, takeIds }: ModuleEvidence,
): Promise<Verdict> {
  const kind = moduleKind(type);
  const id = moduleIdOf(kind, operation.inputs) ?? '';
  const key = liveKey(type, id);
  if (takenIds.has(key)) {
    // If it were brought in a second time, it would be deleted with the first of the two resources.
    return {
      kind: 'clear',
      why: 'another resource manages this module: the next up settles it',
    };
  }
  const live = await liveModule(kind, client, id);
  if (live === undefined) return { kind: 'clear', why: 'never happened: there is no module' };
  const named = { candidates: [key] };
  if (isHidden(operation))
    return kind.isEmpty(live)
      ? { kind: 'clear', why: 'never happened: the module is empty' }
      : { kind: 'refuse', why: HIDDEN_MODULE, ...named };
  const state = moduleState(kind, live, operation.inputs);
  if (changedFields(kind.fields, state, operation.inputs).length > 0) {
    return { kind: 'clear', why: 'the module has other content: the next up fails and says what to do' };
  }
  const isToldSo = takeIds.includes(id);
  if (!isRecorded && !isToldSo) return { kind: 'refuse', why: UNPROVEN, ...named, takeIds: [id] };
  return {
    kind: 'take',
    why: isToldSo ? 'taken over as you asked' : 'happened: the module is there as declared',
    id,
    outputs: outputsOf(operation, state),
    live: [key],
    ...(isToldSo && { isToldSo }),
  };
}

const HIDDEN_MODULE =
  'its inputs are secret, so the live module cannot be compared with them: the next up compares them, if the program still declares it';
