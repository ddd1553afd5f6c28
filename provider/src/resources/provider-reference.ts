import { MODULE_TYPES, type ModuleType } from './modules';

export { MODULE_TYPES, type ModuleType } from './modules';

/** The resource types of the package, by their names in users' state. */
export const RESOURCE_TYPES = ['IpPolicyRule', 'IpPolicyRuleSet', ...MODULE_TYPES] as const;

export type ResourceType = (typeof RESOURCE_TYPES)[number];

export const isModuleType = (type: ResourceType): type is ModuleType =>
  (MODULE_TYPES as readonly string[]).includes(type);

/** The key of a live object: a rule's id; for a module its type and id, as one edge may carry several kinds. */
export const liveKey = (type: ResourceType, id: string): string =>
  isModuleType(type) ? `${type} ${id}` : id;

/** The name of the package, and of the plugin that serves it. */
export const PACKAGE_NAME = 'edge-policy';

export const nativeToken = (type: string): string => `${PACKAGE_NAME}:index:${type}`;

/** The type token under which the engine's host for dynamic resources serves our types. */
export const typeToken = (type: ResourceType): string => `pulumi-nodejs:dynamic/edge-policy:${type}`;

/** Which host serves the resources: the engine's for dynamic resources, which needs no plugin, or the plugin of this package. */
export type Host = 'dynamic' | 'native';

export const tokenOf = (type: ResourceType, host: Host): string =>
  host === 'native' ? nativeToken(type) : typeToken(type);

/** The host that serves this token; also for the token of a provider itself. */
export const hostOfToken = (token: string): Host =>
  token.startsWith(`${PACKAGE_NAME}:`) || token === `pulumi:providers:${PACKAGE_NAME}` ? 'native' : 'dynamic';

/** The type of a token, with either host; undefined for a resource of another package. */
export const typeOfToken = (token: string): ResourceType | undefined => TYPES_BY_TOKEN.get(token);

// Cached, as a review asks for each of a hundred thousand resources.
const TYPES_BY_TOKEN: ReadonlyMap<string, ResourceType> = new Map(
  RESOURCE_TYPES.flatMap((type) =>
    [typeToken(type), nativeToken(type)].map((token) => [token, type] as const),
  ),
);

/**
 * The program text from which the engine's host gets a resource's handler, sent as `__provider` (docs/design.md, "How a step
 * reaches our code"). Users' states hold it forever: it is a public contract, and `hosts/dynamic/handler.ts` must keep
 * answering to it.
 */
export const providerReference = (type: ResourceType): string =>
  `exports.handler=()=>require("pulumi-edge-policy/handler").handler("${type}")`;
