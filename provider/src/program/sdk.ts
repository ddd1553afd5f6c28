// The parts of the SDK that the classes need, each imported from its own module, all of which have already run when a program
// starts. The SDK's index and its `runtime` would also load the serialisation of functions, and with it the TypeScript compiler:
// twice the time of everything else.
import { getAllResources, type Input as SdkInput, type Output as SdkOutput } from '@pulumi/pulumi/output';
import { CustomResource as SdkResource, type ID as SdkId, type Resource } from '@pulumi/pulumi/resource';
import type { InvokeOutputOptions } from '@pulumi/pulumi/invoke';
import * as dependencies from '@pulumi/pulumi/runtime/dependsOn';
import * as state from '@pulumi/pulumi/runtime/state';

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
export type { InvokeOptions, InvokeOutputOptions } from '@pulumi/pulumi/invoke';
export { allConfig } from '@pulumi/pulumi/runtime/config';
export { invoke, invokeOutput } from '@pulumi/pulumi/runtime/invoke';

/** The SDK's `apply` with its second parameter, which its types do not show. */
interface PartlyKnown<T> {
  apply<Result>(transform: (value: T) => Result, runWithUnknowns: true): SdkOutput<Result>;
}

/** An `apply` that runs at every preview: unknown values arrive as `unknown`. */
export const applyWithUnknowns = <T, Result>(
  output: SdkOutput<T>,
  transform: (value: T) => Result,
): SdkOutput<Result> => (output as unknown as PartlyKnown<T>).apply(transform, true);

/** What the SDK's types do not show of its state and its dependencies. */
const { getStore } = state as unknown as {
  readonly getStore: () => { settings: { options: { monitorAddr?: string } } };
};
const { gatherExplicitDependencies, getAllTransitivelyReferencedResources } = dependencies as unknown as {
  readonly gatherExplicitDependencies: (dependsOn: InvokeOutputOptions['dependsOn']) => Promise<Resource[]>;
  readonly getAllTransitivelyReferencedResources: (
    of: Set<Resource>,
    but: Set<Resource>,
  ) => Promise<Resource[]>;
};

/** Whether the SDK's mocks are in the place of the engine. */
export const isMocked = (): boolean => getStore().settings.options.monitorAddr === 'mock';

/** The ids of the resources that a value comes from, and of those of the option `dependsOn`; of a component: of its children. */
export async function idsOf(
  value: SdkOutput<unknown>,
  dependsOn: InvokeOutputOptions['dependsOn'],
): Promise<SdkInput<SdkId>[]> {
  const direct = [...(await getAllResources(value)), ...(await gatherExplicitDependencies(dependsOn))];
  const all = await getAllTransitivelyReferencedResources(new Set(direct), new Set());
  // A dependency that the engine names by its URN has no id.
  return all.flatMap((each) =>
    SdkResource.isInstance(each) ? ((each.id as SdkInput<SdkId> | undefined) ?? []) : [],
  );
}
