import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { SetupError, lastLines, run, say } from './terminal.mjs';

const BUILD_TIMEOUT_MS = 5 * 60_000;
const PACKAGES = ['provider', 'review', 'cli', 'policy-pack', 'emulator'];

/**
 * Compiles the packages of the workspace if a source is newer than the last build. Comparing the times costs a few
 * milliseconds; asking the compiler costs half a second.
 *
 * @param {string} checkout
 * @param {string} stampFile
 */
export const buildPackages = async (checkout, stampFile) => {
  if (areBuilt(checkout, stampFile)) return;
  say('building the packages');
  const startedAt = new Date();
  const compiler = path.join(checkout, 'node_modules', 'typescript', 'bin', 'tsc');
  const { isSuccess, output } = await run(process.execPath, [compiler, '--build', ...PACKAGES], {
    cwd: checkout,
    timeoutMs: BUILD_TIMEOUT_MS,
  });
  if (!isSuccess) throw new SetupError(`the packages do not compile:\n${lastLines(output, 40)}`);
  mkdirSync(path.dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, '');
  // A source saved while the compiler was running must count as newer than this build.
  utimesSync(stampFile, startedAt, startedAt);
};

/**
 * @param {string} checkout
 * @param {string} stampFile
 */
export const areBuilt = (checkout, stampFile) => {
  if (!existsSync(stampFile)) return false;
  if (PACKAGES.some((name) => !existsSync(path.join(checkout, name, 'dist')))) return false;
  const sources = [
    path.join(checkout, 'tsconfig.base.json'),
    ...PACKAGES.flatMap((name) => [
      path.join(checkout, name, 'tsconfig.json'),
      path.join(checkout, name, 'package.json'),
      path.join(checkout, name, 'src'),
    ]),
  ];
  return Math.max(...sources.map(newestChangeMs)) < statSync(stampFile).mtimeMs;
};

/**
 * The time of a folder counts, too, as it changes when a file in it is removed.
 *
 * @param {string} file
 * @returns {number}
 */
const newestChangeMs = (file) => {
  const stats = statSync(file);
  if (!stats.isDirectory()) return stats.mtimeMs;
  const children = readdirSync(file).map((name) => newestChangeMs(path.join(file, name)));
  return Math.max(stats.mtimeMs, ...children);
};
