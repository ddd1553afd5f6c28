import type { ApiClient } from '../../api/client';
import { changedFields } from '../../fields/field';
import { liveModule, moduleIdOf, moduleState } from '../../resources/module-kind';
import { moduleKind } from '../../resources/modules';
import { liveKey, type ModuleType } from '../../resources/provider-reference';
import { type Operation, outputsOf, type Verdict } from './verdict';

/** What an interrupted create of a module is judged by. */
export interface ModuleEvidence {
  readonly client: ApiClient;
  /** What resources of the state stand for, and what has been brought in for another operation. */
  readonly takenIds: ReadonlySet<string>;
}

/** A module has one place, so that there is never a choice: it is there as declared, or the next `up` decides again. */
export async function judgeModuleCreate(
  type: ModuleType,
  operation: Operation,
  { client, takenIds }: ModuleEvidence,
): Promise<Verdict> {
  const kind = moduleKind(type);
  const id = moduleIdOf(kind, operation.inputs) ?? '';
  const key = liveKey(type, id);
  if (takenIds.has(key)) {
    // Taken in a second time, the module would be deleted with the first of the two resources.
    return {
      kind: 'clear',
      why: 'another resource manages this module: the next up settles it',
    };
  }
  const live = await liveModule(kind, client, id);
  if (live === undefined) return { kind: 'clear', why: 'never happened: there is no module' };
  const state = moduleState(kind, live, operation.inputs);
  if (changedFields(kind.fields, state, operation.inputs).length > 0) {
    return { kind: 'clear', why: 'the module holds other content: the next up says so, and asks what to do' };
  }
  return {
    kind: 'take',
    why: 'happened: the module is there as declared',
    id,
    outputs: outputsOf(operation, state),
    live: [key],
  };
}
