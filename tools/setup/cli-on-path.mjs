import { accessSync, constants, realpathSync } from 'node:fs';
import path from 'node:path';
import { cliFiles, stampOf } from './cli-record.mjs';
import { run, say } from './terminal.mjs';
import { isAtLeast } from './version.mjs';

const VERSION_TIMEOUT_MS = 20_000;

/**
 * The Pulumi CLI that the user already has, if it is complete and new enough. Otherwise it is named with the reason.
 *
 * @param {string} oldestVersion
 * @returns {Promise<import('./cli-record.mjs').CliRecord | undefined>}
 */
export const findOnPath = async (oldestVersion) => {
  const found = (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .map((folder) => path.join(folder, 'pulumi'))
    .find(isExecutable);
  if (found === undefined) return undefined;

  // Package managers put a link on PATH; the files that belong to the CLI are next to its target.
  const command = realpathSync(found);
  const bin = path.dirname(command);
  const missing = cliFiles.filter((file) => !isExecutable(path.join(bin, file)));
  const { isSuccess, output } = await run(command, ['version'], {
    env: { ...process.env, PULUMI_SKIP_UPDATE_CHECK: 'true' },
    timeoutMs: VERSION_TIMEOUT_MS,
  });
  const version = output.replace(/^v/, '');
  const reason =
    (path.basename(bin) !== 'bin' && 'it is not in a folder named bin') ||
    (missing.length > 0 && `${missing.join(' and ')} should be beside it`) ||
    (!isSuccess && 'its version command fails') ||
    (!isAtLeast(version, oldestVersion) && `its version ${version} is older than ${oldestVersion}`);
  if (reason) {
    say(`not using ${found}: ${reason}`);
    return undefined;
  }
  const root = path.dirname(bin);
  return { root, version, origin: 'PATH', stamp: stampOf(root) };
};

/** @param {string} file */
const isExecutable = (file) => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};
