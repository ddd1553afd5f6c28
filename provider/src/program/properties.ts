// How programs see the properties that `rule/` and `resources/` describe by their resolved values.
import type { Input, OutputInstance } from './sdk';

/** Properties as a program passes them: each may be an output of a resource. An optional one may also be `undefined`. */
export type Inputs<Resolved> = {
  readonly [Name in keyof Resolved]: Input<Resolved[Name]> | OrUndefined<Resolved[Name]>;
};

type OrUndefined<Value> = undefined extends Value ? undefined : never;

/** Properties as a program reads them: every one is present, and `undefined` if it is absent. */
export type Outputs<Resolved> = { readonly [Name in keyof Resolved]-?: OutputInstance<Resolved[Name]> };
