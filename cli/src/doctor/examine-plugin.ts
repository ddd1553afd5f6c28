import { existsSync } from 'node:fs';
import path from 'node:path';
import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import { PACKAGE_NAME } from 'pulumi-edge-policy/internal/resources/provider-reference';
import { CONFIG_NAMESPACE, HOST_SETTING } from 'pulumi-edge-policy/internal/settings/settings';
import type { CliContext } from '../command/context';
import type { PulumiCli } from '../pulumi/pulumi-cli';
import { type ConfigReading, PROJECT_FILES, settingsSources, textOfFile } from '../pulumi/stack';
import { type DoctorCheck, ok, red } from './doctor-check';

interface Places {
  readonly reading: ConfigReading;
  readonly projectFolder: string;
  readonly cli: PulumiCli;
  readonly context: CliContext;
}

/** With the native host, the plugin must be where the engine looks for it: its own message names neither the setting nor the way out. */
export async function examinePlugin({ reading, ...places }: Places): Promise<DoctorCheck[]> {
  const setting = `${CONFIG_NAMESPACE}:${HOST_SETTING}`;
  if (settingsSources(places.context, reading).config(setting) !== 'native') return [];
  const what = 'native plugin';
  const place = inProjectFile(places) ?? onPath(places) ?? (await installed(places));
  if (place !== undefined) return [ok(what, place)];
  return [
    red(
      what,
      `${setting} is native, and the engine finds no plugin: a preview would fail with "no resource plugin"`,
      `run "${COMMAND_LINE} setup-plugin" in the project, or "pulumi config rm ${setting}" for the default host`,
    ),
  ];
}

const EXECUTABLES = [`pulumi-resource-${PACKAGE_NAME}`, `pulumi-resource-${PACKAGE_NAME}.exe`];

const holdsPlugin = (folder: string): boolean =>
  EXECUTABLES.some((name) => existsSync(path.join(folder, name)));

/** The folder that the project file gives, read without a YAML parser. */
function inProjectFile({ projectFolder }: Pick<Places, 'projectFolder'>): string | undefined {
  const text = PROJECT_FILES.map((name) => textOfFile(path.join(projectFolder, name))).join('\n');
  const entry = new RegExp(`name:\\s*["']?${PACKAGE_NAME}["']?\\s+path:\\s*["']?([^"'\\n]+)`);
  const folder = entry.exec(text)?.[1]?.trim();
  return folder !== undefined && holdsPlugin(path.resolve(projectFolder, folder)) ? folder : undefined;
}

const onPath = ({ context }: Pick<Places, 'context'>): string | undefined =>
  (context.environment['PATH'] ?? '')
    .split(path.delimiter)
    .find((folder) => folder !== '' && holdsPlugin(folder));

async function installed({ cli }: Pick<Places, 'cli'>): Promise<string | undefined> {
  const { isSuccess, stdout } = await cli.run(['plugin', 'ls', '--json']);
  const isOurs = new RegExp(`"name":\\s*"${PACKAGE_NAME}"`).test(stdout);
  return isSuccess && isOurs ? 'installed with "pulumi plugin install"' : undefined;
}
