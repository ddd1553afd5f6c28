import type * as clientModule from '../api/client';
import type { ApiClient, ClientSettings } from '../api/client';
import { resolveSettings, type SettingsSources } from '../lifecycle/settings';
import { UserError } from '../lifecycle/user-error';
import type { StackConfig } from './pulumi/stack';
import { findProjectFolder, Stack } from './pulumi/stack';
import type { Surroundings } from './surroundings';

/** Where a command runs: the folder and, where given, the stack. */
export interface Location {
  readonly cwd: string;
  readonly stack?: string | undefined;
}

/** The stack's configuration, or why there is none to read. */
export type ConfigReading = { readonly config: StackConfig } | { readonly problem: string };

/** Reads the configuration of the stack that a command works on. */
export async function readConfig(surroundings: Surroundings, where: Location): Promise<ConfigReading> {
  const folder = findProjectFolder(where.cwd);
  if (folder === undefined) return { problem: `${where.cwd} is in no Pulumi project` };
  try {
    return { config: await new Stack(surroundings, folder, where.stack).config() };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { problem: error.message };
  }
}

/** The sources of settings, as the provider itself has them: the stack configuration wins over the environment. */
export const settingsSources = (surroundings: Surroundings, reading: ConfigReading): SettingsSources => ({
  config: (key) => ('config' in reading ? reading.config.get(key)?.value : undefined),
  environment: surroundings.environment,
});

/**
 * The settings that the provider would have in this stack.
 *
 * @throws UserError with every problem, and with the reason if the stack configuration could not be read.
 */
export async function readSettings(surroundings: Surroundings, where: Location): Promise<ClientSettings> {
  return settingsFrom(surroundings, await readConfig(surroundings, where));
}

/** The same, from a configuration that was read already. */
export function settingsFrom(surroundings: Surroundings, reading: ConfigReading): ClientSettings {
  try {
    return resolveSettings(settingsSources(surroundings, reading));
  } catch (error) {
    if (!(error instanceof UserError) || 'config' in reading) throw error;
    throw new UserError(`${error.message}\nThe stack configuration could not be read: ${reading.problem}`);
  }
}

/** Runs work with a client for these settings, and closes its connections. Only here does a command load the client. */
export async function withClient<T>(
  surroundings: Surroundings,
  settings: ClientSettings,
  work: (client: ApiClient) => Promise<T>,
): Promise<T> {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- as late as possible
  const { ApiClient: Client } = require('../api/client') as typeof clientModule;
  const client = new Client(settings, {
    clock: surroundings.clock,
    random: Math.random,
    warn: (line) => {
      surroundings.note(`${line}\n`);
    },
  });
  try {
    return await work(client);
  } finally {
    client.close();
  }
}
