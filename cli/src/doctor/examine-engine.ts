import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import path from 'node:path';
import { isUserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { PACKAGE_NAME } from 'pulumi-edge-policy/internal/resources/provider-reference';
import { CONFIG_NAMESPACE, HOST_SETTING } from 'pulumi-edge-policy/internal/settings/settings';
import type { CliContext } from '../command/context';
import { cliVersion, isAtLeast, NEEDED_CLI_VERSION, type PulumiCli } from '../pulumi/pulumi-cli';
import { type ConfigReading, programLanguage, textOfFile } from '../pulumi/stack';
import { type DoctorCheck, ok, red, warning } from './doctor-check';

/** Checks the version of the CLI. */
export async function examineCli(cli: PulumiCli): Promise<DoctorCheck> {
  const what = 'Pulumi CLI';
  try {
    const version = await cliVersion(cli);
    if (isAtLeast(version, NEEDED_CLI_VERSION)) return ok(what, version);
    const detail = `${version} runs programs, but cannot import these resources`;
    return warning(what, detail, `update it to ${NEEDED_CLI_VERSION} or newer for "import" and "recover"`);
  } catch (error) {
    if (!isUserError(error)) throw error;
    const fix = 'install it and put it on PATH: https://www.pulumi.com/docs/install/';
    return red(what, error.message, fix);
  }
}

/** Checks which host serves the resources, and whether the engine will find the plugin: of a missing one it says that a download failed. */
export async function examineHost(
  cli: PulumiCli,
  reading: ConfigReading,
  environment: CliContext['environment'],
): Promise<DoctorCheck[]> {
  const key = `${CONFIG_NAMESPACE}:${HOST_SETTING}`;
  const chosen = 'config' in reading ? reading.config.get(key)?.value : undefined;
  if (chosen !== undefined && !['dynamic', 'native'].includes(chosen)) {
    const detail = `${JSON.stringify(chosen.slice(0, 40))} is neither dynamic nor native: every preview fails`;
    return [red(`setting ${HOST_SETTING}`, detail, `run "pulumi config set ${key} native", or dynamic`)];
  }
  const isOfNode = ['', 'nodejs'].includes(programLanguage(cli.folder));
  if (chosen !== 'native' && isOfNode) return [];
  const what = 'native plugin';
  if (await isPluginFound(cli, environment)) return [ok(what, 'the engine will find it')];
  const fix = `run "${COMMAND_LINE} setup-plugin" in the project, or install the archive of a release`;
  return [red(what, 'the engine will not find it', fix)];
}

/** The engine looks in the project file, on PATH, and among the installed plugins. */
async function isPluginFound(cli: PulumiCli, environment: CliContext['environment']): Promise<boolean> {
  const name = new RegExp(`["']?name["']?\\s*:\\s*["']?${PACKAGE_NAME}\\b`);
  const project = ['yaml', 'yml', 'json'].map((kind) => textOfFile(path.join(cli.folder, `Pulumi.${kind}`)));
  const executable = `pulumi-resource-${PACKAGE_NAME}`;
  const onPath = (environment['PATH'] ?? '').split(path.delimiter).filter(Boolean);
  if (project.some((text) => text.includes('plugins') && name.test(text))) return true;
  if (onPath.some((folder) => textOfFile(path.join(folder, executable)) !== '')) return true;
  return name.test((await cli.run(['plugin', 'ls', '--json'])).stdout);
}
