// The names under which the hosts serve our types are the provider's to say.
export {
  hostOfToken,
  providerReference,
  type ResourceType,
  typeOfToken as resourceTypeOf,
} from 'pulumi-edge-policy/internal/resources/provider-reference';
