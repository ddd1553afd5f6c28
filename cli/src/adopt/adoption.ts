// What for: turns live objects into resources: names, program text in the user's language, and the engine's import file.
// Must not know: any other folder, and how a stack is found; it asks nobody and writes no file.
import { inputsOf, type Properties, withoutAbsent } from 'pulumi-edge-policy/internal/fields/field';
import { checkFields } from 'pulumi-edge-policy/internal/fields/check';
import type { ModuleType, ResourceType } from 'pulumi-edge-policy/internal/resources/provider-reference';
import type { ServiceRule } from 'pulumi-edge-policy/internal/rule/rule';

export interface LiveObjects {
  readonly rules: readonly ServiceRule[];
  /** By their keys; see `liveKey`. */
  readonly modules: ReadonlyMap<string, LiveModule>;
}

/** A live module: the ids of its path, and its fields. */
export interface LiveModule {
  readonly type: ModuleType;
  readonly live: object;
}

/** A live object that a program could declare from now on. */
export interface Adoptable {
  readonly type: ResourceType;
  /** The resource's id: in state, and in the engine's import file. */
  readonly id: string;
  /** The name of the resource, if it is free. */
  readonly wantedName: string;
  /** One line for the user: what it holds, without texts that could be secret. */
  readonly summary: string;
  /** The comment that begins the module's section about the policy, edge or route that it belongs to. */
  readonly comment: string;
  /** The keys of the live objects that it covers; see `liveKey`. */
  readonly liveIds: readonly string[];
  readonly args: Properties;
  readonly inputs: Properties;
  readonly outputs: Properties;
}

export interface Adoption extends Adoptable {
  readonly name: string;
}

/** A live object that no program can declare as it is. */
export interface NotAdoptable {
  readonly id: string;
  readonly summary: string;
  readonly reason: string;
}

/** The inputs and outputs with which a program that declares the resource previews no change, or why no program may declare it. */
export function resourceInState(
  table: object,
  state: object,
): Pick<Adoptable, 'inputs' | 'outputs'> | { readonly reason: string } {
  const { inputs, failures } = checkFields(table, {}, inputsOf(table, state));
  if (failures.length > 0) return { reason: failures.join('; ') };
  return { inputs, outputs: withoutAbsent({ ...state }) };
}

export const isAdoptable = (found: Adoptable | NotAdoptable): found is Adoptable => 'args' in found;
