import { foldersFrom } from '../command/folders';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { CliContext } from '../command/context';
import { type Deployment, parseDeployment } from './deployment';
import { withLocalPlaces } from './local-places';
import { NoStackError, PulumiCli } from './pulumi-cli';
import type { ClientSettings } from 'pulumi-edge-policy/internal/api/client';
import { resolveSettings, type SettingsSources } from 'pulumi-edge-policy/internal/settings/settings';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import type { Location } from '../command/arguments';

export interface ConfigValue {
  /** Absent for a secret that was not decrypted. */
  readonly value?: string;
  readonly secret: boolean;
}

export type StackConfig = ReadonlyMap<string, ConfigValue>;

export class Stack {
  readonly cli: PulumiCli;

  constructor(
    private readonly context: CliContext,
    readonly projectFolder: string,
    stackName?: string,
  ) {
    this.cli = new PulumiCli(context, projectFolder, stackName);
  }

  named(name: string): Stack {
    return new Stack(this.context, this.projectFolder, name);
  }

  async name(): Promise<string> {
    return this.cli.stackName ?? (await this.cli.stackCommand(['stack', '--show-name'])).trim();
  }

  /** The stack's configuration, secrets in clear: for use at once, never shown or written. */
  async config(): Promise<StackConfig> {
    const printed = await this.cli.stackCommand(['config', '--json', '--show-secrets']);
    return new Map(Object.entries(JSON.parse(printed) as Record<string, ConfigValue>));
  }

  /** The state as text, secrets encrypted unless asked for in clear. */
  exportText(options: { readonly showsSecrets?: boolean } = {}): Promise<string> {
    return this.cli.stackCommand(['stack', 'export', ...(options.showsSecrets ? ['--show-secrets'] : [])]);
  }

  /** Writes the state, secrets encrypted or marked as such; refused while another run holds the lock. */
  async importText(text: string): Promise<void> {
    await this.cli.stackCommand(['stack', 'import'], text);
  }

  /** The state, its secrets in clear unless told otherwise: then for use at once, never shown or written. */
  async deployment(options = { showsSecrets: true }): Promise<Deployment> {
    return parseDeployment(withLocalPlaces(await this.exportText(options), this.projectFolder));
  }
}

export const findProjectFolder = (from: string): string | undefined =>
  foldersFrom(path.resolve(from)).find((folder) =>
    PROJECT_FILES.some((file) => existsSync(path.join(folder, file))),
  );

/** @throws UserError if a folder is in no Pulumi project. */
export function requireProjectFolder(from: string): string {
  const folder = findProjectFolder(from);
  if (folder !== undefined) return folder;
  throw new NoStackError(
    `There is no Pulumi project in ${from}: go to the folder with Pulumi.yaml, or pass --cwd FOLDER.`,
  );
}

/** @throws UserError if the folder is not in a Pulumi project. */
export const requireStack = (context: CliContext, { cwd, stack }: Location): Stack =>
  new Stack(context, requireProjectFolder(cwd), stack);

/** The name of the stack of a command: the named one, or the selected one. A preview never decides it. */
export const stackNameOf = (where: Location, context: CliContext): Promise<string> =>
  where.stack === undefined ? requireStack(context, where).name() : Promise.resolve(where.stack);

const REVIEWABLE = ['preview', '--json', '--show-sames', '--show-replacement-steps'];

/** The JSON of a preview with all that a review needs. One that failed prints what it knows and why it failed, which the review reports. */
export async function reviewablePreview(where: Location, context: CliContext): Promise<string> {
  const { stdout, stderr } = await requireStack(context, where).cli.runOnStack(REVIEWABLE);
  if (stderr !== '') context.note(stderr);
  return withLocalPlaces(stdout, findProjectFolder(where.cwd));
}

export const PROJECT_FILES = ['Pulumi.yaml', 'Pulumi.yml', 'Pulumi.json'];

/** The section `runtime` of a project file: keys begin at the left, or each on a line of its own in JSON. */
const RUNTIME = /^(?:runtime|[ \t{]*"runtime")[ \t]*:.*(?:\n(?:[ \t\r#].*)?)*/m;

/** The language of the program in a project: `runtime: python`, or the name in that section. Empty if it is unknown. */
export function programLanguage(projectFolder: string): string {
  const [section = ''] = PROJECT_FILES.flatMap(
    (name) => RUNTIME.exec(textOfFile(path.join(projectFolder, name))) ?? [],
  );
  const language =
    /^[^:]*:[ \t]*["']?([\w-]+)/.exec(section) ?? /\bname["']?[ \t]*:[ \t]*["']?([\w-]+)/.exec(section);
  return language?.[1] ?? '';
}

/** The text of a file; empty if it cannot be read. */
export function textOfFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

export type ConfigReading = { readonly config: StackConfig } | { readonly problem: string };

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

/** The settings that the provider would have in this stack. @throws UserError with every problem, also of the configuration. */
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
