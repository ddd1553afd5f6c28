import { nativeToken, PACKAGE_NAME } from 'pulumi-edge-policy/internal/resources/provider-reference';

// The type names of our resources come from the provider.
export {
  hostOfToken,
  isModuleType,
  MODULE_TYPES,
  type ModuleType,
  providerReference,
  type ResourceType,
  typeOfToken as resourceTypeOf,
} from 'pulumi-edge-policy/internal/resources/provider-reference';

/** The component with which a program states its assertions. */
export const ASSERTIONS_TYPE = nativeToken('AccessAssertions');

/** Whether a type is that of a provider which serves resources of ours. */
export const isProviderType = (type: string): boolean =>
  [PACKAGE_NAME, 'pulumi-nodejs'].some((name) => type === `pulumi:providers:${name}`);
