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
