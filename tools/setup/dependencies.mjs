import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { SetupError, lastLines, run, say, withProgress } from './terminal.mjs';

const INSTALL_TIMEOUT_MS = 15 * 60_000;
const BUILD_TIMEOUT_MS = 5 * 60_000;
const PACKAGES = ['provider', 'review', 'cli', 'policy-pack', 'emulator'];
const QUIET = ['--no-audit', '--no-fund', '--no-progress', '--loglevel=error'];

/**
 * @typedef {{ version?: string, integrity?: string, resolved?: string, link?: boolean, optional?: boolean }} LockEntry
 */

/**
 * Whether the packages that npm has recorded as installed are those of the lock file. npm keeps its record next to the
 * packages, so a manual `npm install` counts as well.
 *
 * @param {string} checkout
 */
export const areDependenciesInstalled = (checkout) => {
  const installed = readPackages(path.join(checkout, 'node_modules', '.package-lock.json'));
  if (installed === undefined) return false;
  const wanted = readPackages(path.join(checkout, 'package-lock.json')) ?? {};
  return Object.entries(wanted).every(([location, entry]) => {
    // All other entries are the root itself and the workspaces, which are links.
    if (!location.startsWith('node_modules/') && !location.includes('/node_modules/')) return true;
    const found = installed[location];
    if (found === undefined) return entry.optional === true;
    return (
      found.version === entry.version && found.integrity === entry.integrity && found.link === entry.link
    );
  });
};

/**
 * @param {string} lockFile
 * @returns {Record<string, LockEntry> | undefined}
 */
const readPackages = (lockFile) =>
  existsSync(lockFile) ? JSON.parse(readFileSync(lockFile, 'utf8')).packages : undefined;

/**
 * Installs the npm dependencies if they are missing or differ from the lock file.
 *
 * @param {string} checkout
 */
export const installDependencies = async (checkout) => {
  if (areDependenciesInstalled(checkout)) return;
  say('installing the npm dependencies');
  let { isSuccess, output } = await npm(checkout, 'ci');
  if (!isSuccess && /EUSAGE|in sync/.test(output)) {
    say('package.json and the lock file differ: bringing the lock file up to date');
    ({ isSuccess, output } = await npm(checkout, 'install'));
  }
  if (!isSuccess) {
    throw new SetupError(
      `npm could not install the dependencies:\n${lastLines(output)}\n` +
        'Run `npm ci` by hand; it needs access to an npm registry.',
    );
  }
};

/**
 * @param {string} checkout
 * @param {'ci' | 'install'} command
 */
const npm = (checkout, command) =>
  withProgress('still installing the npm dependencies', () =>
    run('npm', [command, ...QUIET], { cwd: checkout, timeoutMs: INSTALL_TIMEOUT_MS }),
  );

/**
 * Compiles what has changed in the packages of the workspace, as the compiler finds.
 *
 * @param {string} checkout
 */
export const buildPackages = async (checkout) => {
  const compiler = path.join(checkout, 'node_modules', 'typescript', 'bin', 'tsc');
  const { isSuccess, output } = await run(process.execPath, [compiler, '--build', ...PACKAGES], {
    cwd: checkout,
    timeoutMs: BUILD_TIMEOUT_MS,
  });
  if (!isSuccess) throw new SetupError(`the packages do not compile:\n${lastLines(output, 40)}`);
  // As late as possible: before the first setup its dependencies are missing.
  const { bundlePage } = await import('../bundle-page.mjs');
  await bundlePage();
};
