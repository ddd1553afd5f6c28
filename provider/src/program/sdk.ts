// The parts of the SDK that the classes need, each from its own module, all of which run before a program starts. The SDK's
// index and its `runtime` also load what serializes functions, and the TypeScript compiler with it: twice the time of all else.
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
