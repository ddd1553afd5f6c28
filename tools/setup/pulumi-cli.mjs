import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildFromGoModules } from './cli-from-go-modules.mjs';
import { findOnPath, isComplete, readRecord } from './cli-record.mjs';
import { checkout, cliRecordFile, oldestCliVersion, pinnedCliRoot, pinnedCliVersion } from './paths.mjs';
import { SetupError, isDone, say } from './terminal.mjs';

/** @typedef {import('./cli-record.mjs').CliRecord} CliRecord */

/** Finds or installs a Pulumi CLI and records where it is. */
export const providePulumiCli = async () => {
  if (readRecord(cliRecordFile) !== undefined) return;
  const record = findOnPath(oldestCliVersion) ?? (await providePinnedCli());
  mkdirSync(path.dirname(cliRecordFile), { recursive: true });
  writeFileSync(cliRecordFile, `${JSON.stringify(record, undefined, 2)}\n`);
  say(`using the Pulumi CLI ${record.version} in ${record.root}`);
};

/**
 * The pinned version, installed once for all checkouts.
 *
 * @returns {Promise<CliRecord>}
 */
const providePinnedCli = async () => {
  const record = { root: pinnedCliRoot, version: pinnedCliVersion };
  if (isComplete(pinnedCliRoot)) return record;
  const unfinished = `${pinnedCliRoot}.${process.pid}`;
  try {
    if (!(await installOfficially(unfinished)) && !buildFromGoModules(unfinished)) {
      throw new SetupError(
        'there is no Pulumi CLI, and none could be provided. Install it by hand (https://www.pulumi.com/docs/install/) so that ' +
          '`pulumi version` works, or install a current Go (https://go.dev/dl/); then run this again.',
      );
    }
    // Another setup may have been faster.
    if (!isComplete(pinnedCliRoot)) renameSync(unfinished, pinnedCliRoot);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return record;
};

const SCRIPT_URL = 'https://get.pulumi.com/install.sh';

// In a separate process, as the SDK takes a second to load.
const installation = `
  const { PulumiCommand } = require('@pulumi/pulumi/automation');
  const { SemVer } = require('semver');
  const [version, root] = process.argv.slice(1);
  PulumiCommand.install({ version: new SemVer(version), root }).catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
`;

/**
 * Runs the official installer through Pulumi's own SDK.
 *
 * @param {string} root
 */
const installOfficially = async (root) => {
  // If the network blocks the installer, this costs seconds and not minutes.
  const isReachable = await fetch(SCRIPT_URL, { method: 'HEAD', signal: AbortSignal.timeout(10_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (!isReachable) {
    say(`${SCRIPT_URL} cannot be reached`);
    return false;
  }
  // The installer compares no checksums. Those of the archives are on the same host, so they would prove no more than https does.
  say(
    `installing the Pulumi CLI ${pinnedCliVersion} with the official installer, over https and without a checksum`,
  );
  return isDone(process.execPath, ['--eval', installation, pinnedCliVersion, root], { cwd: checkout });
};
