import type { ResourceType } from 'pulumi-edge-policy/internal/resources/provider-reference';
import type { SourcePosition } from '../preview/source-position';

/** Where a declaration stands: the resource, and the line of the program it comes from if the engine knows it. */
export interface Origin {
  /** The service's identifier for a rule that was read from the service and is in no program. */
  readonly urn: string;
  /** The resource's name in the program; again the identifier for a rule that is in none. */
  readonly name: string;
  readonly type: ResourceType;
  readonly source?: SourcePosition;
}

// The names under which the hosts serve our types are the provider's to say.
export {
  type ResourceType,
  typeOfToken as resourceTypeOf,
} from 'pulumi-edge-policy/internal/resources/provider-reference';
