import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildFromGoModules } from './cli-from-go-modules.mjs';
import { findOnPath, isComplete, readRecord } from './cli-record.mjs';
import { checkout, cliRecordFile, cliRoot, oldestCliVersion, pinnedCliVersion } from './paths.mjs';
import { SetupError, isDone, say } from './terminal.mjs';

/** @typedef {import('./cli-record.mjs').CliRecord} CliRecord */

/** Finds or installs a Pulumi CLI and records where it is. */
export const providePulumiCli = async () => {
  if (readRecord(cliRecordFile) !== undefined) return;
  const record = findOnPath(oldestCliVersion) ?? (await provideCli(pinnedCliVersion));
  mkdirSync(path.dirname(cliRecordFile), { recursive: true });
  writeFileSync(cliRecordFile, `${JSON.stringify(record, undefined, 2)}\n`);
  say(`using the Pulumi CLI ${record.version} in ${record.root}`);
};

/** The oldest supported version or the pinned one, installed once for all checkouts. @param {string} version @returns {Promise<CliRecord>} */
export const provideCli = async (version) => {
  const root = cliRoot(version);
  if (isComplete(root)) return { root, version };
  const unfinished = `${root}.${process.pid}`;
  try {
    if (!(await installOfficially(unfinished, version)) && !(await buildFromGoModules(unfinished, version))) {
      throw new SetupError(
        'there is no Pulumi CLI, and none could be provided. Install it by hand (https://www.pulumi.com/docs/install/) so that ' +
          '`pulumi version` works, or install a current Go (https://go.dev/dl/); then run this again.',
      );
    }
    // Another setup may have been faster.
    if (!isComplete(root)) renameSync(unfinished, root);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return { root, version };
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

/** Runs the official installer through Pulumi's own SDK. @param {string} root @param {string} version */
const installOfficially = async (root, version) => {
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
  say(`installing the Pulumi CLI ${version} with the official installer, over https and without a checksum`);
  return isDone(process.execPath, ['--eval', installation, version, root], { cwd: checkout });
};
