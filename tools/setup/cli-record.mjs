import { accessSync, constants, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { answerOf, say } from './terminal.mjs';
import { isAtLeast } from './version.mjs';

/** The files of a usable installation in its bin folder: the CLI, its Node host, and its host of dynamic resources. */
const cliFiles = ['pulumi', 'pulumi-language-nodejs', 'pulumi-resource-pulumi-nodejs'];

/** A usable Pulumi CLI: `root` contains a bin folder, as the SDK's `PulumiCommand.get({ root })` needs it. @typedef {{ root: string, version: string }} CliRecord */

/** @param {string} root */
export const isComplete = (root) => cliFiles.every((file) => isExecutable(path.join(root, 'bin', file)));

/** @param {string} file */
const isExecutable = (file) => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The recorded CLI, if it is still there. @param {string} recordFile @returns {CliRecord | undefined} */
export const readRecord = (recordFile) => {
  try {
    /** @type {CliRecord} */
    const record = JSON.parse(readFileSync(recordFile, 'utf8'));
    return isComplete(record.root) ? record : undefined;
  } catch {
    return undefined;
  }
};

/**
 * The Pulumi CLI that the user already has, if it is complete and new enough. Otherwise it is named.
 *
 * @param {string} oldestVersion
 * @returns {CliRecord | undefined}
 */
export const findOnPath = (oldestVersion) => {
  const found = (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .map((folder) => path.join(folder, 'pulumi'))
    .find(isExecutable);
  if (found === undefined) return undefined;
  // Package managers put a link on PATH; the files that belong to the CLI are next to its target.
  const command = realpathSync(found);
  const root = path.join(command, '..', '..');
  const version = answerOf(command, ['version'])?.replace(/^v/, '') ?? '';
  if (isComplete(root) && isAtLeast(version, oldestVersion)) return { root, version };
  say(
    `not using ${found}: it must be ${oldestVersion} or newer, in a folder bin, with the hosts of Node.js beside it`,
  );
  return undefined;
};
