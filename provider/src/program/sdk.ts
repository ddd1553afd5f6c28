// The parts of the SDK that the classes need, from modules that have already run when a program starts. The SDK's index and its
// `runtime` would also load the TypeScript compiler: twice the time of everything else.
import * as dependencies from '@pulumi/pulumi/runtime/dependsOn';
import * as state from '@pulumi/pulumi/runtime/state';
import { getAllResources, type Input as SdkInput, type Output as SdkOutput } from '@pulumi/pulumi/output';
import { CustomResource as SdkResource, type ID as SdkId, type Resource } from '@pulumi/pulumi/resource';
import type { InvokeOutputOptions } from '@pulumi/pulumi/invoke';

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

/** Properties as a program passes them: each may be an output of a resource. An optional one may also be `undefined`. */
export type Inputs<Resolved> = {
  readonly [Name in keyof Resolved]: SdkInput<Resolved[Name]> | UndefinedIn<Resolved[Name]>;
};

type UndefinedIn<Value> = undefined extends Value ? undefined : never;

/** Properties of which each may be given as `undefined`, also by programs with `exactOptionalPropertyTypes`. */
export type OrUndefined<Properties> = { readonly [Name in keyof Properties]: Properties[Name] | undefined };

/** A document as a program passes it: every part of it may be an output of a resource. */
export type InputsThroughout<Part> = unknown extends Part
  ? unknown
  : SdkInput<
      Part extends readonly (infer Item)[]
        ? readonly InputsThroughout<Item>[]
        : Part extends object
          ? { readonly [Name in keyof Part]: InputsThroughout<Part[Name]> | UndefinedIn<Part[Name]> }
          : Part
    >;
