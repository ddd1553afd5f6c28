import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { programLanguage } from 'pulumi-edge-policy/internal/hosts/native/language-words';
import { PACKAGE_NAME } from 'pulumi-edge-policy/internal/resources/provider-reference';
import { CONFIG_NAMESPACE, HOST_SETTING } from 'pulumi-edge-policy/internal/settings/settings';
import type { CliContext } from '../command/context';
import type { PulumiCli } from '../pulumi/pulumi-cli';
import { textOfFile } from '../pulumi/stack';
import type { ConfigReading } from '../pulumi/stack-settings';
import { type DoctorCheck, ok, red } from './doctor-check';

const HOST = `setting ${HOST_SETTING}`;
const PLUGIN = 'native plugin';
const EXECUTABLE = `pulumi-resource-${PACKAGE_NAME}`;
const SET_UP = `run "${COMMAND_LINE} setup-plugin" in the project, or install the archive of a release`;

/** Whether a program is in a language whose resources come from npm. */
export const isNodeProgram = (projectFolder: string): boolean =>
  ['', 'nodejs'].includes(programLanguage(projectFolder));

/** Checks which host serves the resources and whether the engine will find it, as a preview fails otherwise. */
export async function examineHost(
  cli: PulumiCli,
  reading: ConfigReading,
  environment: CliContext['environment'],
): Promise<DoctorCheck[]> {
  const chosen =
    'config' in reading ? reading.config.get(`${CONFIG_NAMESPACE}:${HOST_SETTING}`)?.value : undefined;
  if (chosen !== undefined && !['dynamic', 'native'].includes(chosen)) {
    const fix = `run "pulumi config set ${CONFIG_NAMESPACE}:${HOST_SETTING} native", or dynamic`;
    return [
      red(
        HOST,
        `${JSON.stringify(chosen.slice(0, 40))} is neither dynamic nor native: every preview fails`,
        fix,
      ),
    ];
  }
  const found = chosen === undefined ? [] : [ok(HOST, `${chosen} (stack configuration)`)];
  if (chosen !== 'native' && isNodeProgram(cli.folder)) return found;
  return [...found, await examinePlugin(cli, environment)];
}

async function examinePlugin(cli: PulumiCli, environment: CliContext['environment']): Promise<DoctorCheck> {
  const named = folderInProject(cli.folder);
  if (named !== undefined) {
    return isIn(path.resolve(cli.folder, named))
      ? ok(PLUGIN, `named in the project file: ${named}`)
      : red(PLUGIN, `the project file names ${named}, which does not hold ${EXECUTABLE}`, SET_UP);
  }
  const onPath = (environment['PATH'] ?? '')
    .split(path.delimiter)
    .find((folder) => folder !== '' && isIn(folder));
  if (onPath !== undefined) return ok(PLUGIN, `on PATH, in ${onPath}`);
  const { stdout } = await cli.run(['plugin', 'ls', '--json']);
  return isInstalled(stdout) ? ok(PLUGIN, 'installed') : red(PLUGIN, 'the engine will not find it', SET_UP);
}

const isIn = (folder: string): boolean =>
  [EXECUTABLE, `${EXECUTABLE}.cmd`, `${EXECUTABLE}.exe`].some((name) => existsSync(path.join(folder, name)));

/** The folder under `plugins` in the project file, whose entry has a name and a path in either order. */
function folderInProject(projectFolder: string): string | undefined {
  const text = ['Pulumi.yaml', 'Pulumi.yml', 'Pulumi.json']
    .map((name) => textOfFile(path.join(projectFolder, name)))
    .join('\n');
  const name = `["']?name["']?\\s*:\\s*["']?${PACKAGE_NAME}["']?[\\s,]*`;
  const place = `["']?path["']?\\s*:\\s*["']?([^"'\\n,}]+)["']?[\\s,]*`;
  const match = new RegExp(`(?:${name}${place})|(?:${place}${name})`).exec(text);
  return (match?.[1] ?? match?.[2])?.trim();
}

function isInstalled(list: string): boolean {
  try {
    const plugins: unknown = JSON.parse(list);
    return (
      Array.isArray(plugins) &&
      plugins.some((it: { readonly name?: string } | null) => it?.name === PACKAGE_NAME)
    );
  } catch {
    return false;
  }
}
