import path from 'node:path';
import { SetupError, lastLines, run } from './terminal.mjs';

const BUILD_TIMEOUT_MS = 5 * 60_000;
const PACKAGES = ['provider', 'review', 'cli', 'policy-pack', 'emulator'];

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
};
