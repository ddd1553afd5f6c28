import type * as pulumi from './sdk';

/** `apply` as the SDK has it, with its second parameter, which its types keep to itself. */
interface PartlyKnown<T> {
  apply<Result>(transform: (value: T) => Result, runWithUnknowns: true): pulumi.Output<Result>;
}

/** `apply` that runs at every preview: what is not known there arrives as `pulumi.unknown`. */
export const applyWithUnknowns = <T, Result>(
  output: pulumi.Output<T>,
  transform: (value: T) => Result,
): pulumi.Output<Result> => (output as unknown as PartlyKnown<T>).apply(transform, true);
