import type * as pulumi from './sdk';

/** The SDK's `apply` with its second parameter, which its types do not show. */
interface PartlyKnown<T> {
  apply<Result>(transform: (value: T) => Result, runWithUnknowns: true): pulumi.Output<Result>;
}

/** An `apply` that runs at every preview: unknown values arrive as `pulumi.unknown`. */
export const applyWithUnknowns = <T, Result>(
  output: pulumi.Output<T>,
  transform: (value: T) => Result,
): pulumi.Output<Result> => (output as unknown as PartlyKnown<T>).apply(transform, true);
