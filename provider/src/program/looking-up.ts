// How a function of a program reaches the service: the account that it asks, and arguments that are outputs.
import * as pulumi from './sdk';
import type { ApiClient } from '../api/client';
import { toHostError } from '../errors/host-error';
import { UserError } from '../errors/user-error';
import { lookUpModule } from '../resources/look-ups';
import type { ModuleKind } from '../resources/module-kind';
import { CONFIG_NAMESPACE, resolveSettings } from '../settings/settings';
import type { Inputs } from './properties';
import type { Provider } from './provider';

/** Options of the functions that read the service. */
export interface LookUpOptions {
  /** The account to use. Default: that of the stack configuration and the environment. */
  readonly provider?: Provider;
}

/** The arguments of a function, each of which may be an output of a resource. */
export type OutputArgs<Args> = Inputs<Args>;

/** A function that reads a module by its ids. */
export type LookUpModule<Live, Identity extends keyof Live> = (
  args: Pick<Live, Identity>,
  opts?: LookUpOptions,
) => Promise<Live>;

/** {@link LookUpModule} for arguments that are outputs of other resources. */
export type LookUpModuleOutput<Live, Identity extends keyof Live> = (
  args: OutputArgs<Pick<Live, Identity>>,
  opts?: LookUpOptions,
) => pulumi.Output<Live>;

/** Reads a module of a kind. */
export const lookUpOf =
  <Live extends object>(kind: ModuleKind<Live>) =>
  (args: Partial<Live>, opts?: LookUpOptions): Promise<Live> =>
    withClient(opts, (client) => lookUpModule(kind, client, args));

/** A function for arguments that are outputs. */
export const outputOf =
  <Args, Result>(look: (args: Args, opts?: LookUpOptions) => Promise<Result>) =>
  (args: OutputArgs<Args>, opts?: LookUpOptions): pulumi.Output<Result> =>
    whenKnown(look, args, opts);

/** Looks up once arguments and account are known; while they are not, the result is unknown. */
export function whenKnown<Args, Result>(
  look: (args: Args, opts?: LookUpOptions) => Promise<Result>,
  args: OutputArgs<Args>,
  opts: LookUpOptions | undefined,
): pulumi.Output<Result> {
  const known = pulumi.output(args) as unknown as pulumi.Output<Args>;
  if (opts?.provider === undefined) return known.apply((resolved) => look(resolved, opts));
  // Only whether the settings are known matters here: the secret key among them must not make the result a secret.
  const settings = pulumi.unsecret(opts.provider.settings);
  return settings.apply(() => known).apply((resolved) => look(resolved, opts));
}

const clients = new Map<string, ApiClient>();

export async function withClient<T>(
  opts: LookUpOptions | undefined,
  work: (client: ApiClient) => Promise<T>,
): Promise<T> {
  try {
    return await work(await clientFor(opts?.provider));
  } catch (error) {
    throw toHostError(error, {});
  }
}

/** A program that calls no function never loads the HTTP client; one that does keeps one client per account. */
async function clientFor(provider: Provider | undefined): Promise<ApiClient> {
  const config = provider === undefined ? stackConfig() : await settingsOf(provider);
  const settings = resolveSettings({ config, environment: process.env });
  const fingerprint = JSON.stringify(settings);
  const known = clients.get(fingerprint);
  if (known !== undefined) return known;
  const { ApiClient: Client } = require('../api/client') as typeof import('../api/client');
  const client = new Client(settings);
  clients.set(fingerprint, client);
  return client;
}

function stackConfig(): (key: string) => string | undefined {
  const config = new pulumi.Config(CONFIG_NAMESPACE);
  return (key) => config.get(key.slice(CONFIG_NAMESPACE.length + 1));
}

/** @throws UserError in a preview in which they are not known yet: waiting for them would never end. */
async function settingsOf(provider: Provider): Promise<(key: string) => string | undefined> {
  const { settings } = provider;
  const found = await new Promise<Record<string, string>>((resolve) => {
    pulumi.applyWithUnknowns(settings, resolve);
  });
  if (pulumi.containsUnknowns(found)) throw new UserError(UNKNOWN_SETTINGS);
  return (key) => found[key];
}

const UNKNOWN_SETTINGS =
  'The settings of the provider are not known yet during this preview, so the service cannot be asked: use the variant of ' +
  'the function whose name ends in "Output", which has no result until the next "pulumi up".';
