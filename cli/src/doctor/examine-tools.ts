import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { isUserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { cliVersion, isAtLeast, NEEDED_CLI_VERSION } from '../pulumi/cli-version';
import type { PulumiCli } from '../pulumi/pulumi-cli';
import { type DoctorCheck, ok, red, warning } from './doctor-check';

const NEEDED_NODE_VERSION = '20.19.0';
const NEEDED_SDK_VERSION = '3.216.0';
const PACKAGE = 'pulumi-edge-policy';

/** The Node.js that runs this command; the engine takes its own from PATH. */
export const examineNode = (version: string): DoctorCheck =>
  isAtLeast(version, NEEDED_NODE_VERSION)
    ? ok('Node.js', version.replace(/^v/, ''))
    : red('Node.js', `${version} is too old`, `install Node.js ${NEEDED_NODE_VERSION} or newer`);

export async function examineCli(cli: PulumiCli): Promise<DoctorCheck> {
  try {
    const version = await cliVersion(cli);
    if (isAtLeast(version, NEEDED_CLI_VERSION)) return ok('Pulumi CLI', version);
    return warning(
      'Pulumi CLI',
      `${version} runs programs, but cannot import these resources`,
      `update it to ${NEEDED_CLI_VERSION} or newer for "${COMMAND_LINE} import" and "${COMMAND_LINE} recover"`,
    );
  } catch (error) {
    if (!isUserError(error)) throw error;
    return red(
      'Pulumi CLI',
      error.message,
      'install it and put it on PATH: https://www.pulumi.com/docs/install/',
    );
  }
}

/** Checks the SDK and this package as the engine's host of dynamic resources finds them: from the project's folder. */
export function examinePackages(projectFolder: string): DoctorCheck[] {
  const sdk = installedManifest('@pulumi/pulumi', projectFolder);
  return [
    examineSdk(sdk?.version),
    ...examineSdkEngines(sdk?.engines?.node, process.version),
    ...examineTypeScript(installedManifest('typescript', projectFolder)?.version),
    examineOwnPackage(projectFolder),
  ];
}

function examineSdk(version: string | undefined): DoctorCheck {
  const what = 'Pulumi SDK';
  if (version === undefined)
    return red(what, 'not installed in the project', 'run "npm install @pulumi/pulumi"');
  if (isAtLeast(version, NEEDED_SDK_VERSION) && !isAtLeast(version, '4.0.0')) return ok(what, version);
  const fix = `run "npm install @pulumi/pulumi@3": ${NEEDED_SDK_VERSION} or newer, but below 4, is needed`;
  return red(what, `${version} is not supported`, fix);
}

function examineOwnPackage(projectFolder: string): DoctorCheck {
  const what = 'package';
  const version = installedManifest(PACKAGE, projectFolder)?.version;
  const fix = `run "npm install ${PACKAGE}" in the project`;
  if (version === undefined) {
    return red(
      what,
      `${PACKAGE} cannot be resolved from the project's folder, where the engine looks for it`,
      fix,
    );
  }
  const [nearest, ...above] = manifestsFrom(projectFolder);
  if (nearest !== undefined && isDirectDependency(nearest)) {
    return ok(what, `${PACKAGE} ${version}, a direct dependency`);
  }
  // In a workspace, packages may use the dependencies of its root.
  if (above.some(isDirectDependency)) {
    return ok(what, `${PACKAGE} ${version}, a dependency of the workspace's root`);
  }
  const detail = `${version}, but not a direct dependency of the project: it disappears with the package that needs it`;
  return red(what, detail, fix);
}

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly dependencies?: object;
  readonly devDependencies?: object;
  readonly engines?: { readonly node?: string };
}

const isDirectDependency = ({ dependencies = {}, devDependencies = {} }: Manifest): boolean =>
  PACKAGE in dependencies || PACKAGE in devDependencies;

function installedManifest(name: string, projectFolder: string): Manifest | undefined {
  const require = createRequire(path.join(projectFolder, 'index.js'));
  try {
    return readManifest(require.resolve(`${name}/package.json`));
  } catch {
    return undefined;
  }
}

/** The manifests of a folder and of its parents, the nearest first. */
function manifestsFrom(folder: string): Manifest[] {
  const above = path.dirname(folder);
  const manifest = readManifest(path.join(folder, 'package.json'));
  return [...(manifest === undefined ? [] : [manifest]), ...(above === folder ? [] : manifestsFrom(above))];
}

function readManifest(file: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Manifest;
  } catch {
    return undefined;
  }
}

/** The SDK compiles every program with the compiler that it finds, and its peer range says that it cannot do so with this one. */
const FIRST_BREAKING_TYPESCRIPT = '7.0.0';

/** TypeScript as the SDK finds it; without one the SDK brings its own. */
function examineTypeScript(version: string | undefined): DoctorCheck[] {
  if (version === undefined) return [];
  if (!isAtLeast(version, FIRST_BREAKING_TYPESCRIPT)) return [ok('TypeScript', version)];
  const fix = 'run "npm install --save-dev typescript@5"';
  return [red('TypeScript', `${version} breaks the Pulumi SDK, which needs a version below 7`, fix)];
}

/** The Node.js version that the SDK requires, if it is a plain minimum. */
function examineSdkEngines(needed: string | undefined, nodeVersion: string): DoctorCheck[] {
  const least = /^>=\s*v?(\d+(?:\.\d+){0,2})$/.exec(needed ?? '')?.[1];
  if (least === undefined || isAtLeast(nodeVersion, least)) return [];
  return [
    warning(
      'Node.js for the SDK',
      `the installed Pulumi SDK needs Node.js ${needed ?? ''}; this is ${nodeVersion.replace(/^v/, '')}`,
      `install Node.js ${least} or newer`,
    ),
  ];
}
