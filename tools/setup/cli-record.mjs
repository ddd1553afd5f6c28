import { accessSync, constants, readFileSync } from 'node:fs';
import path from 'node:path';

/** The files of a usable installation in its bin folder: the CLI, its Node host, and its host of dynamic resources. */
export const cliFiles = ['pulumi', 'pulumi-language-nodejs', 'pulumi-resource-pulumi-nodejs'];

/**
 * A usable Pulumi CLI: `root` contains a bin folder, as the SDK's `PulumiCommand.get({ root })` needs it.
 *
 * @typedef {{ root: string, version: string }} CliRecord
 */

/** @param {string} root */
export const isComplete = (root) => cliFiles.every((file) => isExecutable(path.join(root, 'bin', file)));

/** @param {string} file */
export const isExecutable = (file) => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/**
 * The recorded CLI, if it is still there.
 *
 * @param {string} recordFile
 * @returns {CliRecord | undefined}
 */
export const readRecord = (recordFile) => {
  try {
    /** @type {CliRecord} */
    const record = JSON.parse(readFileSync(recordFile, 'utf8'));
    return isComplete(record.root) ? record : undefined;
  } catch {
    return undefined;
  }
};
