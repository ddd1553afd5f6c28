import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { SetupError, isDone, say } from './terminal.mjs';

const PACKAGES = ['provider', 'review', 'cli', 'policy-pack', 'emulator'];

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

/** Installs the npm dependencies. @param {string} checkout */
export const installDependencies = (checkout) => {
  say('installing the npm dependencies');
  if (isDone('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: checkout })) return;
  throw new SetupError(
    'npm could not install the dependencies. Run `npm install` by hand; it needs access to an npm registry.',
  );
};

/** Compiles what has changed in the packages of the workspace, as the compiler finds. @param {string} checkout */
export const buildPackages = async (checkout) => {
  const compiler = path.join(checkout, 'node_modules', 'typescript', 'bin', 'tsc');
  if (!isDone(process.execPath, [compiler, '--build', ...PACKAGES], { cwd: checkout }))
    throw new SetupError('the packages do not compile');
  // As late as possible: before the first setup its dependencies are missing.
  const { bundlePage } = await import('../bundle-page.mjs');
  await bundlePage();
};
