import type { ImportTarget } from '../adopt/generate';
import { CONFIG_NAMESPACE, HOST_SETTING } from 'pulumi-edge-policy/internal/settings/settings';
import { hostOfToken } from 'pulumi-edge-policy/internal/resources/provider-reference';
import type { Deployment } from '../pulumi/deployment';
import { findProvider } from '../pulumi/providers';
import type { ConfigReading } from '../pulumi/stack-settings';
import type { DeclaredResource } from './declared-resource';

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
