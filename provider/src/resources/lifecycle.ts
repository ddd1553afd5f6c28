// What for: the resources: for each its field table, state and lifecycle, in a file of its own.
// Must not know: `hosts`, `program`, Pulumi and HTTP.
import type { DiffOutcome, Properties, ReadOutcome, TypeSpec } from '../fields/field';
import type { CheckOutcome } from '../fields/check';

/**
 * `check` and `diff` send nothing. `isDeclared`: a diff is about what the program declares, not part of a refresh. `caller`
 * identifies the resource that a call creates, unless the host cannot tell it from another one. `read` returns `undefined` if
 * the service says that the resource is gone; its `prior` is empty at a `get`.
 */
export interface Lifecycle<Inputs extends object, State extends object> {
  check(olds: object, news: object): CheckOutcome;
  diff(id: string, olds: object, news: object, isDeclared: boolean): DiffOutcome;
  create(inputs: Inputs, caller?: string): Promise<{ readonly id: string; readonly state: State }>;
  read(id: string, prior: Partial<State>): Promise<ReadOutcome<State> | undefined>;
  update(id: string, olds: State, news: Inputs): Promise<State>;
  delete(id: string, olds: State): Promise<void>;
}

export type AnyLifecycle = Lifecycle<object, object>;

/** An output that gives what state holds in another form. */
export interface DerivedOutput {
  /** The properties that it is made of. The output is secret if one of them is. If it is unknown, so is the first of them. */
  readonly from: readonly [string, ...string[]];
  readonly type: TypeSpec;
  readonly of: (state: Properties) => unknown;
}
