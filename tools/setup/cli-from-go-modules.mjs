import { chmodSync, copyFileSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { SetupError, lastLines, run, say, withProgress } from './terminal.mjs';
import { isAtLeast } from './version.mjs';

const OLDEST_GO = '1.26';
const BUILD_TIMEOUT_MS = 45 * 60_000;
const VERSION_VARIABLE = 'github.com/pulumi/pulumi/sdk/v3/go/common/version.Version';

/**
 * The Node language host has no tags as a module of its own. Until this version it was part of the SDK module, and that version
 * still runs programs of today's SDK (except policy packs).
 */
const LANGUAGE_HOST_VERSION = '3.68.0';

/**
 * Builds the CLI from the Go modules. `go install` refuses them, as they contain replace directives: the small modules in
 * tools/pulumi-cli require them instead, with every version pinned by go.sum.
 *
 * @type {import('./pulumi-cli.mjs').CliSource}
 */
export const buildFromGoModules = async ({ root, version, checkout }) => {
  const go = await findGo();
  if (go === undefined) return `Go ${OLDEST_GO} or newer is not installed`;
  const bin = path.join(root, 'bin');
  mkdirSync(bin, { recursive: true });

  say(`building the Pulumi CLI ${version} from its Go modules (once; some minutes)`);
  const reason =
    (await build(go, {
      module: path.join(checkout, 'tools', 'pulumi-cli', 'cli'),
      package: 'github.com/pulumi/pulumi/pkg/v3/cmd/pulumi',
      version,
      output: path.join(bin, 'pulumi'),
    })) ??
    (await build(go, {
      module: path.join(checkout, 'tools', 'pulumi-cli', 'language-host'),
      package: 'github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs',
      version: LANGUAGE_HOST_VERSION,
      output: path.join(bin, 'pulumi-language-nodejs'),
    }));
  if (reason !== undefined) return reason;

  // If this script were found elsewhere on PATH instead of next to the CLI, every run would print a warning.
  const dynamicHost = path.join(bin, 'pulumi-resource-pulumi-nodejs');
  copyFileSync(
    path.join(checkout, 'node_modules', '@pulumi', 'pulumi', 'pulumi-resource-pulumi-nodejs'),
    dynamicHost,
  );
  chmodSync(dynamicHost, 0o755);
  return undefined;
};

/**
 * Go's own installer does not put it on PATH, so its usual place is checked as well.
 *
 * @returns {Promise<string | undefined>} the command, if it is new enough
 */
export const findGo = async () => {
  for (const command of ['go', '/usr/local/go/bin/go']) {
    const { isSuccess, output } = await run(command, ['env', 'GOVERSION'], { timeoutMs: 20_000 });
    if (isSuccess && isAtLeast(output, OLDEST_GO)) return command;
  }
  return undefined;
};

/**
 * Builds one program of a Go module.
 *
 * @param {string} go
 * @param {{ module: string, package: string, version: string, output: string }} target
 * @returns {Promise<string | undefined>} why it failed
 */
export const build = async (go, target) => {
  if (!existsSync(target.module)) throw new SetupError(`${target.module} is missing from this checkout`);
  const args = [
    'build',
    '-C',
    target.module,
    '-mod=readonly',
    '-trimpath',
    '-tags=osusergo,grpcnotrace',
    `-ldflags=-s -w -X ${VERSION_VARIABLE}=v${target.version}`,
    `-o=${target.output}`,
    target.package,
  ];
  const { isSuccess, output } = await withProgress(`still building ${path.basename(target.output)}`, () =>
    run(go, args, { env: { ...process.env, CGO_ENABLED: '0', GOWORK: 'off' }, timeoutMs: BUILD_TIMEOUT_MS }),
  );
  return isSuccess ? undefined : `\`go build\` failed:\n${lastLines(output)}`;
};
