// The names under which the hosts serve our types are the provider's to say.
export {
  hostOfToken,
  isModuleType,
  MODULE_TYPES,
  type ModuleType,
  providerReference,
  type ResourceType,
  typeOfToken as resourceTypeOf,
} from 'pulumi-edge-policy/internal/resources/provider-reference';
