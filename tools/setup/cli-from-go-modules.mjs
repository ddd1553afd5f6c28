import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { checkout, oldestCliVersion } from './paths.mjs';
import { answerOf, say } from './terminal.mjs';
import { isAtLeast } from './version.mjs';

const OLDEST_GO = '1.26';
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
 * @param {string} root
 * @param {string} version the oldest supported one or the pinned one
 * @returns {Promise<boolean>} whether it succeeded
 */
export const buildFromGoModules = async (root, version) => {
  const go = findGo();
  if (go === undefined) {
    say(`Go ${OLDEST_GO} or newer is not installed`);
    return false;
  }
  const bin = path.join(root, 'bin');
  mkdirSync(bin, { recursive: true });

  say(`building the Pulumi CLI ${version} from its Go modules (once; some minutes)`);
  const isBuilt =
    (await build(go, {
      module: version === oldestCliVersion ? 'oldest' : 'cli',
      package: 'github.com/pulumi/pulumi/pkg/v3/cmd/pulumi',
      version,
      output: path.join(bin, 'pulumi'),
    })) &&
    (await build(go, {
      module: 'language-host',
      package: 'github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs',
      version: LANGUAGE_HOST_VERSION,
      output: path.join(bin, 'pulumi-language-nodejs'),
    }));
  if (!isBuilt) return false;

  // If this script were found elsewhere on PATH instead of next to the CLI, every run would print a warning.
  const dynamicHost = path.join(bin, 'pulumi-resource-pulumi-nodejs');
  copyFileSync(
    path.join(checkout, 'node_modules', '@pulumi', 'pulumi', 'pulumi-resource-pulumi-nodejs'),
    dynamicHost,
  );
  chmodSync(dynamicHost, 0o755);
  return true;
};

/** Go's own installer does not put it on PATH, so its usual place is checked as well. @returns {string | undefined} the command, if it is new enough */
export const findGo = () =>
  ['go', '/usr/local/go/bin/go'].find((command) =>
    isAtLeast(answerOf(command, ['env', 'GOVERSION']) ?? '', OLDEST_GO),
  );

/**
 * Builds one program of a Go module in tools/pulumi-cli, and says once a minute how far it is.
 *
 * @param {string} go
 * @param {{ module: string, package: string, version: string, output: string }} target
 * @param {() => number} now milliseconds
 * @returns {Promise<boolean>} whether it succeeded
 */
export const build = async (go, target, now = Date.now) => {
  const folder = path.join(checkout, 'tools', 'pulumi-cli', target.module);
  const env = { ...process.env, CGO_ENABLED: '0', GOWORK: 'off' };
  const flags = [
    '-mod=readonly',
    '-trimpath',
    '-tags=osusergo,grpcnotrace',
    `-ldflags=-s -w -X ${VERSION_VARIABLE}=v${target.version}`,
  ];
  const listing = ['list', '-C', folder, '-deps', '-f={{.Stale}}', ...flags, target.package];
  const { stdout } = spawnSync(go, listing, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const total = stdout?.match(/^true$/gm)?.length ?? 0;

  const args = ['build', '-C', folder, '-v', ...flags, `-o=${target.output}`, target.package];
  const building = spawn(go, args, { env, stdio: ['ignore', 'inherit', 'pipe'] });
  const ended = once(building, 'close').catch(() => [1]);
  let [compiled, saidAt] = [0, now()];
  for await (const line of createInterface(building.stderr)) {
    // With -v it names each package that it compiles; everything else is a problem, or a download.
    if (!/^\S+$/.test(line)) console.error(line);
    else compiled += 1;
    if (now() - saidAt < 60_000) continue;
    saidAt = now();
    say(`${compiled} of ${total} packages compiled`);
  }
  const [status] = await ended;
  return status === 0;
};
