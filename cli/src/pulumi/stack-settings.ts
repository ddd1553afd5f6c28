import type { ClientSettings } from 'pulumi-edge-policy/internal/api/client';
import { resolveSettings, type SettingsSources } from 'pulumi-edge-policy/internal/settings/settings';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { findProjectFolder, Stack, type StackConfig } from './stack';
import type { Location } from '../command/arguments';
import type { CliContext } from '../command/context';

/** The stack's configuration, or why there is none to read. */
export type ConfigReading = { readonly config: StackConfig } | { readonly problem: string };

/** Reads the configuration of the stack that a command works on. */
export async function readConfig(context: CliContext, where: Location): Promise<ConfigReading> {
  const folder = findProjectFolder(where.cwd);
  if (folder === undefined) return { problem: `${where.cwd} is not in a Pulumi project` };
  try {
    return { config: await new Stack(context, folder, where.stack).config() };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { problem: error.message };
  }
}

/** The sources of settings, as for the provider itself: the stack configuration wins over the environment. */
export const settingsSources = (context: CliContext, reading: ConfigReading): SettingsSources => ({
  config: (key) => ('config' in reading ? reading.config.get(key)?.value : undefined),
  environment: context.environment,
});

/**
 * The settings that the provider would have in this stack.
 *
 * @throws UserError with every problem, and with the reason if the stack configuration could not be read.
 */
export async function settingsOfStack(context: CliContext, where: Location): Promise<ClientSettings> {
  return settingsFrom(context, await readConfig(context, where));
}

/** Settings from a configuration that has already been read. */
export function settingsFrom(context: CliContext, reading: ConfigReading): ClientSettings {
  try {
    return resolveSettings(settingsSources(context, reading));
  } catch (error) {
    if (!(error instanceof UserError) || 'config' in reading) throw error;
    throw new UserError(
      `The stack configuration could not be read: ${reading.problem}\nThe environment alone is not enough:\n${error.message}`,
    );
  }
}
