// The accounts that a stack works on, one for each set of settings: the stack's own, and those of each `Provider` of its program.
import type { ClientSettings } from 'pulumi-edge-policy/internal/api/client';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import {
  type Held,
  type KeyInUse,
  ofUnknownAccounts,
  whyUnknown,
} from 'pulumi-edge-policy/internal/resources/known-account';
import { typeOfToken } from 'pulumi-edge-policy/internal/resources/provider-reference';
import { Account } from 'pulumi-edge-policy/internal/settings/account';
import {
  CONFIG_NAMESPACE,
  resolveSettings,
  type SettingsSources,
} from 'pulumi-edge-policy/internal/settings/settings';
import { isProviderType } from 'pulumi-edge-policy-review';
import type { CliContext } from '../command/context';
import { type Deployment, nameOfUrn, type StateResource, withoutEnvelopes, isManaged } from './deployment';
import { type ConfigReading, settingsFrom, settingsSources } from './stack';
import { withClient } from './live-objects';

/** Whether a provider is the one that the engine makes by itself from the stack configuration. */
export const isDefaultProvider = (urn: string): boolean => urn === '' || /^default(_|$)/.test(nameOfUrn(urn));

/** The account of a resource: the URN of its `Provider`, or nothing if the stack's own settings decide. */
export function accountOf({ provider }: Pick<StateResource, 'provider'>): string {
  // The reference without the provider's own id.
  const urn = (provider ?? '').split('::').slice(0, -1).join('::');
  return isDefaultProvider(urn) ? '' : urn;
}

export interface StackAccount {
  readonly settings: ClientSettings;
  readonly mark: string;
  readonly objects: readonly Held[];
}

export interface OpenAccount extends KeyInUse, Pick<StackAccount, 'objects'> {}

export interface AccountSources {
  /** Its secrets in clear; absent if there is no stack. */
  readonly deployment: Deployment | undefined;
  readonly reading: ConfigReading;
  readonly context: CliContext;
}

/** @throws UserError if settings are missing or wrong. */
export function stackAccount(name: string, from: AccountSources): StackAccount {
  const { deployment, reading, context } = from;
  const sources = name === '' ? settingsSources(context, reading) : sourcesOf(name, from);
  return {
    settings: name === '' ? settingsFrom(context, reading) : resolveSettings(sources),
    mark: new Account(sources).mark,
    objects: objectsIn(deployment?.resources ?? [], name),
  };
}

function sourcesOf(urn: string, { deployment, context }: AccountSources): SettingsSources {
  const inputs = deployment?.resources.find((resource) => resource.urn === urn)?.inputs;
  return { environment: context.environment, config: (key) => storedText(inputs, key) };
}

/** A setting among the inputs of a provider; for the plugin, the engine stores it by its name alone. */
export const storedSetting = (inputs: StateResource['inputs'], key: string): unknown =>
  inputs?.[key] ?? inputs?.[key.slice(CONFIG_NAMESPACE.length + 1)];

export function storedText(inputs: StateResource['inputs'], key: string): string | undefined {
  const value = withoutEnvelopes(storedSetting(inputs, key));
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

type HeldResource = Parameters<typeof isManaged>[0] & Pick<StateResource, 'id' | 'outputs' | 'provider'>;

/** The objects that a state holds in an account, or in any of them. */
export const objectsIn = (resources: readonly HeldResource[], name?: string): Held[] =>
  resources
    .filter((resource) => isManaged(resource) && (name ?? accountOf(resource)) === accountOf(resource))
    .flatMap(({ type, id, outputs = {} }) => {
      const known = typeOfToken(type);
      if (known === undefined || id === undefined) return [];
      return [{ type: known, id, state: withoutEnvelopes(outputs) as Held['state'] }];
    });

/** The accounts of these resources. @throws UserError if settings are missing or wrong. */
export const accountsOf = (
  resources: readonly Pick<StateResource, 'provider'>[],
  from: AccountSources,
): (readonly [name: string, account: StackAccount])[] =>
  [...new Set(resources.map(accountOf))].map((name) => [name, stackAccount(name, from)]);

/** Why nothing follows from what the service does not show to a key: it may belong to another account than the objects in the state. */
export async function whyNotKnown({ objects, ...key }: OpenAccount): Promise<string | undefined> {
  const unknown = await ofUnknownAccounts(objects, key);
  return unknown.length === 0 ? undefined : whyUnknown(unknown);
}

export async function requireKnown(account: OpenAccount): Promise<void> {
  const why = await whyNotKnown(account);
  if (why !== undefined) throw new UserError(why);
}

/** Runs work with one client per account, and closes them all. */
export async function withClients<T>(
  context: CliContext,
  accounts: readonly (readonly [name: string, account: StackAccount])[],
  work: (accounts: ReadonlyMap<string, OpenAccount>) => Promise<T>,
): Promise<T> {
  const [first, ...rest] = accounts;
  if (first === undefined) return work(new Map());
  const [name, { settings, mark, objects }] = first;
  return withClient(context, settings, (client) =>
    withClients(context, rest, (others) => work(new Map([...others, [name, { client, mark, objects }]]))),
  );
}

/** The `Provider` of a program, by its name or URN. @throws UserError if the state holds none of that name, or several. */
export function findProvider(name: string, deployment: Deployment | undefined): StateResource {
  const providers = explicitProviders(deployment);
  const matching = providers.filter(({ urn }) => urn === name || nameOfUrn(urn) === name);
  const [only] = matching;
  if (only !== undefined && matching.length === 1) return only;
  const known = providers.map(({ urn }) => `  ${matching.length > 1 ? urn : nameOfUrn(urn)}\n`).join('');
  throw new UserError(
    `${matching.length > 1 ? 'Several providers of the stack are' : 'No provider of the stack is'} named ` +
      `${JSON.stringify(name)}. A Provider is in the state once a "pulumi up" has created it. The state ` +
      `holds ${known === '' ? 'none' : `these:\n${known.trimEnd()}`}\nNothing was done.`,
  );
}

export const explicitProviders = (deployment: Deployment | undefined): StateResource[] =>
  (deployment?.resources ?? []).filter(({ type, urn }) => isProviderType(type) && !isDefaultProvider(urn));
