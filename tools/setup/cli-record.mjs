import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** The files of a usable installation in its bin folder: the CLI, its Node host, and its host of dynamic resources. */
export const cliFiles = ['pulumi', 'pulumi-language-nodejs', 'pulumi-resource-pulumi-nodejs'];

/**
 * A usable Pulumi CLI: `root` contains a bin folder, as the SDK's `PulumiCommand.get({ root })` needs it, and `stamp` changes
 * as soon as the files in it change.
 *
 * @typedef {{ root: string, version: string, origin: 'PATH' | 'installer' | 'build', stamp: string }} CliRecord
 */

/**
 * The recorded CLI, if it has not changed since.
 *
 * @param {string} recordFile
 * @returns {CliRecord | undefined}
 */
export const readRecord = (recordFile) => {
  try {
    /** @type {CliRecord} */
    const record = JSON.parse(readFileSync(recordFile, 'utf8'));
    return record.stamp === stampOf(record.root) ? record : undefined;
  } catch {
    return undefined;
  }
};

/** @param {string} root */
export const stampOf = (root) =>
  cliFiles
    .map((file) => statSync(path.join(root, 'bin', file)))
    .map(({ size, mtimeMs }) => `${size}@${Math.round(mtimeMs)}`)
    .join(' ');
