// What programs see of properties that `rule/` and `resources/` describe by their resolved values.
import type { Input, OutputInstance } from './sdk';

/** Properties as a program passes them: each may be an output of a resource. What may be absent may be `undefined`, too. */
export type Inputs<Resolved> = {
  readonly [Name in keyof Resolved]: Input<Resolved[Name]> | OrUndefined<Resolved[Name]>;
};

type OrUndefined<Value> = undefined extends Value ? undefined : never;

/** Properties as a program reads them: each is there, and holds `undefined` where it is absent. */
export type Outputs<Resolved> = { readonly [Name in keyof Resolved]-?: OutputInstance<Resolved[Name]> };
