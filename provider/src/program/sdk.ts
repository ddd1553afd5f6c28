// The parts of the SDK that the classes need, each imported from its own module, all of which have already run when a program
// starts. The SDK's index and its `runtime` would also load the serialisation of functions, and with it the TypeScript compiler:
// twice the time of everything else.
export { Config } from '@pulumi/pulumi/config';
export * as log from '@pulumi/pulumi/log';
export {
  all,
  containsUnknowns,
  type Input,
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
