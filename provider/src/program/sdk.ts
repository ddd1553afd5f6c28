// The parts of the SDK that the classes need, each imported from its own module, all of which have already run when a program
// starts. The SDK's index and its `runtime` would also load the serialisation of functions, and with it the TypeScript compiler:
// twice the time of everything else.
import type { Output as SdkOutput } from '@pulumi/pulumi/output';

export { Config } from '@pulumi/pulumi/config';
export * as log from '@pulumi/pulumi/log';
export {
  all,
  containsUnknowns,
  type Input,
  isSecret,
  isUnknown,
  Output,
  output,
  type OutputInstance,
  secret,
  unknown,
  unsecret,
  type Unwrap,
} from '@pulumi/pulumi/output';
export {
  type Alias,
  ComponentResource,
  type ComponentResourceOptions,
  CustomResource,
  type CustomResourceOptions,
  type ID,
  ProviderResource,
  type ResourceOptions,
  type URN,
} from '@pulumi/pulumi/resource';
export { allConfig } from '@pulumi/pulumi/runtime/config';

/** The SDK's `apply` with its second parameter, which its types do not show. */
interface PartlyKnown<T> {
  apply<Result>(transform: (value: T) => Result, runWithUnknowns: true): SdkOutput<Result>;
}

/** An `apply` that runs at every preview: unknown values arrive as `unknown`. */
export const applyWithUnknowns = <T, Result>(
  output: SdkOutput<T>,
  transform: (value: T) => Result,
): SdkOutput<Result> => (output as unknown as PartlyKnown<T>).apply(transform, true);
