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

/** The resource types a review understands, by the last part of their type token. */
export const RESOURCE_TYPES = [
  'IpPolicyRule',
  'IpPolicyRuleSet',
  'TcpEdgeTrafficPolicyModule',
  'HttpsEdgeRouteUserAgentFilterModule',
] as const;

/** One of {@link RESOURCE_TYPES}. */
export type ResourceType = (typeof RESOURCE_TYPES)[number];

/** With the engine's host for dynamic resources, and with the plugin of this package. */
const TOKEN_PREFIXES = ['pulumi-nodejs:dynamic/edge-policy:', 'edge-policy:index:'];

/** The resource type of a type token, or nothing for a resource of somebody else. */
export const resourceTypeOf = (token: string): ResourceType | undefined => TYPES_BY_TOKEN.get(token);

const TYPES_BY_TOKEN: ReadonlyMap<string, ResourceType> = new Map(
  RESOURCE_TYPES.flatMap((type) => TOKEN_PREFIXES.map((prefix) => [prefix + type, type] as const)),
);
