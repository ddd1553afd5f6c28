import {
  hostOfToken,
  type ResourceType,
  typeOfToken,
} from 'pulumi-edge-policy/internal/resources/provider-reference';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { type Deployment, nameOfUrn, type StateResource } from '../pulumi/deployment';
import { readPreview } from '../pulumi/preview';
import type { ConfigReading, Stack } from '../pulumi/stack';
import { findProvider, isDefaultProvider, providerUrn } from '../pulumi/accounts';
import { type ImportOptions, modulesAskedFor } from './options';
import type { Situation } from './situation';
import type { ImportTarget } from '../adopt/generate';
import { CONFIG_NAMESPACE, HOST_SETTING } from 'pulumi-edge-policy/internal/settings/settings';

/** A resource that the program declares and the state does not hold, with its place in the state. */
export interface DeclaredResource {
  readonly urn: string;
  readonly type: string;
  /** The URN of its parent; absent for a resource of the stack itself. */
  readonly parent?: string;
  /** The URN of its provider; absent for the default one, which the engine makes from the stack's configuration. */
  readonly provider?: string;
}

/**
 * Finds the resource that the program declares under the name that the user gives, if any. A preview knows its parent and
 * provider; under any other URN the next `up` would delete it and create another one.
 *
 * @throws UserError if the program declares no such resource that is missing in the state, or several.
 */
export async function findDeclared(
  stack: Stack,
  { deployment }: Situation,
  options: ImportOptions,
): Promise<DeclaredResource | undefined> {
  const { name } = options;
  if (name === undefined || deployment === undefined) return undefined;
  const type = typeAskedFor(options);
  const missing = (await readPreview(stack)).flatMap(({ op, urn, newState }) =>
    op === 'create' &&
    newState !== undefined &&
    typeOfToken(newState.type) === type &&
    (nameOfUrn(urn) === name || urn === name)
      ? [newState]
      : [],
  );
  const [only] = missing;
  if (only === undefined) throw notDeclared(name, type, deployment);
  if (missing.length > 1) throw severalDeclared(name, missing);
  return settled(only, deployment);
}

const typeAskedFor = (options: ImportOptions): ResourceType =>
  modulesAskedFor(options)[0]?.type ?? 'IpPolicyRule';

function settled({ urn, type, parent, provider }: StateResource, deployment: Deployment): DeclaredResource {
  const ofStack = deployment.resources.find((entry) => entry.type === 'pulumi:pulumi:Stack')?.urn;
  const own = providerUrn(provider);
  const found = {
    urn,
    type,
    ...(parent !== undefined && parent !== ofStack && !isStack(parent) && { parent }),
    ...(!isDefaultProvider(own) && { provider: own }),
  };
  for (const needed of [found.parent, found.provider]) {
    if (needed === undefined || deployment.resources.some((entry) => entry.urn === needed)) continue;
    throw new UserError(
      `${nameOfUrn(urn)} belongs to ${nameOfUrn(needed)}, which the state does not hold yet. Run "pulumi up" once: it may ` +
        `fail at this resource, but creates what it belongs to. Nothing was done.`,
    );
  }
  return found;
}

const isStack = (urn: string): boolean => urn.includes('::pulumi:pulumi:Stack::');

function notDeclared(name: string, type: ResourceType, { resources }: Deployment): UserError {
  const held = resources.find((entry) => typeOfToken(entry.type) === type && nameOfUrn(entry.urn) === name);
  return new UserError(
    held === undefined
      ? `A preview of the program creates no resource ${JSON.stringify(name)} of this type: --name is for a resource that the ` +
          `program declares and the state does not hold. Nothing was done.`
      : `The state already holds ${JSON.stringify(name)}, as ${held.id ?? held.urn}. Nothing was done.`,
  );
}

const severalDeclared = (name: string, found: readonly StateResource[]): UserError =>
  new UserError(
    `The program declares several resources named ${JSON.stringify(name)}; pass the URN of one as --name:\n` +
      `${found.map(({ urn }) => `  ${urn}\n`).join('')}Nothing was done.`,
  );

/** What decides which host and provider will serve the imported resources. */
interface Grounds {
  readonly deployment: Deployment | undefined;
  readonly reading: ConfigReading;
  readonly declared: DeclaredResource | undefined;
  /** The provider that the user names: a name, or a URN. */
  readonly provider: string | undefined;
  /** Whether the program's language knows no dynamic resources. */
  readonly isOnlyNative: boolean;
}

/**
 * The host and provider that will serve the imported resources: those of the resource that the program declares, else the
 * provider that the user named, else the host that the stack configuration chooses.
 *
 * @throws UserError if the state holds no such provider.
 */
export function importTargetOf(grounds: Grounds): ImportTarget {
  const { deployment, reading, declared, provider, isOnlyNative } = grounds;
  if (declared !== undefined) {
    const { type, parent, provider: own } = declared;
    return { host: hostOfToken(type), ...(parent && { parent }), ...(own && { provider: own }) };
  }
  if (provider !== undefined) {
    const { urn, type } = findProvider(provider, deployment);
    return { host: hostOfToken(type), provider: urn };
  }
  const chosen =
    'config' in reading ? reading.config.get(`${CONFIG_NAMESPACE}:${HOST_SETTING}`)?.value : undefined;
  return { host: isOnlyNative || chosen === 'native' ? 'native' : 'dynamic' };
}
