import type { ApiClient, ClientSettings } from '../../api/client';
import { CONFIG_NAMESPACE, resolveSettings } from '../../settings/settings';
import { type Deployment, nameOfUrn, withoutEnvelopes } from '../pulumi/deployment';
import { type ConfigReading, settingsSources } from '../stack-settings';
import { withClient } from '../with-client';
import type { CliContext } from '../context';

/** The URN of a resource's provider: its reference without the provider's own id. */
export const providerUrn = (reference: string | undefined): string =>
  (reference ?? '').split('::').slice(0, -1).join('::');

/** Whether a provider is the one that the engine makes by itself from the stack configuration. */
export const isDefaultProvider = (urn: string): boolean => urn === '' || /^default(_|$)/.test(nameOfUrn(urn));

/** The settings of a provider's account: the stack's own, or those of a `Provider` of the program. */
export function settingsOfProvider(
  urn: string,
  from: {
    readonly deployment: Deployment;
    readonly reading: ConfigReading;
    readonly context: CliContext;
  },
): ClientSettings {
  const { deployment, reading, context } = from;
  if (isDefaultProvider(urn)) return resolveSettings(settingsSources(context, reading));
  const provider = deployment.resources.find((resource) => resource.urn === urn);
  const inputs = withoutEnvelopes(provider?.inputs ?? {}) as Record<string, unknown>;
  return resolveSettings({
    environment: context.environment,
    config: (key) => textOf(inputs[key] ?? inputs[nativeName(key)]),
  });
}

/** The plugin knows a setting by its name alone. */
const nativeName = (key: string): string => key.slice(CONFIG_NAMESPACE.length + 1);

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

/** Runs work with one client per account, and closes them all. */
export async function withClients<T>(
  context: CliContext,
  accounts: readonly (readonly [urn: string, settings: ClientSettings])[],
  work: (clients: ReadonlyMap<string, ApiClient>) => Promise<T>,
): Promise<T> {
  const [first, ...rest] = accounts;
  if (first === undefined) return work(new Map());
  const [urn, settings] = first;
  return withClient(context, settings, (client) =>
    withClients(context, rest, (others) => work(new Map([...others, [urn, client]]))),
  );
}
