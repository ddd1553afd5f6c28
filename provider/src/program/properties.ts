// How programs see the properties that `rule/` and `resources/` describe by their resolved values.
import type { Input } from './sdk';

/** Properties as a program passes them: each may be an output of a resource. An optional one may also be `undefined`. */
export type Inputs<Resolved> = {
  readonly [Name in keyof Resolved]: Input<Resolved[Name]> | UndefinedIn<Resolved[Name]>;
};

type UndefinedIn<Value> = undefined extends Value ? undefined : never;

/** Properties of which each may be given as `undefined`, also by programs with `exactOptionalPropertyTypes`. */
export type OrUndefined<Properties> = { readonly [Name in keyof Properties]: Properties[Name] | undefined };

/** A document as a program passes it: every part of it may be an output of a resource. */
export type InputsThroughout<Part> = unknown extends Part
  ? unknown
  : Input<
      Part extends readonly (infer Item)[]
        ? readonly InputsThroughout<Item>[]
        : Part extends object
          ? { readonly [Name in keyof Part]: InputsThroughout<Part[Name]> | UndefinedIn<Part[Name]> }
          : Part
    >;
