import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildFromGoModules } from './cli-from-go-modules.mjs';
import { installOfficially } from './cli-from-installer.mjs';
import { findOnPath } from './cli-on-path.mjs';
import { readRecord, stampOf } from './cli-record.mjs';
import { withLock } from './lock.mjs';
import { SetupError, say } from './terminal.mjs';

/**
 * One way to fill an empty installation folder; resolves with why it failed, or with undefined.
 *
 * @typedef {(target: { root: string, version: string, checkout: string }) => Promise<string | undefined>} CliSource
 */

/** @typedef {import('./cli-record.mjs').CliRecord} CliRecord */

/** @type {readonly { origin: 'installer' | 'build', fill: CliSource }[]} */
const sources = [
  { origin: 'installer', fill: installOfficially },
  { origin: 'build', fill: buildFromGoModules },
];

const originNames = {
  PATH: 'found on PATH',
  installer: 'official installer',
  build: 'built from its Go modules',
};

/**
 * Finds or installs a Pulumi CLI and records where it is.
 *
 * @param {{ checkout: string, recordFile: string, pinnedRoot: string, pinnedVersion: string, oldestVersion: string }} options
 */
export const providePulumiCli = async (options) => {
  if (readRecord(options.recordFile) !== undefined) return;
  const record =
    (await findOnPath(options.oldestVersion)) ??
    (await withLock(`${options.pinnedRoot}.lock`, () => providePinnedCli(options)));
  mkdirSync(path.dirname(options.recordFile), { recursive: true });
  writeFileSync(options.recordFile, `${JSON.stringify(record, undefined, 2)}\n`);
  say(`using the Pulumi CLI ${record.version} in ${record.root} (${originNames[record.origin]})`);
};

/**
 * @param {{ checkout: string, pinnedRoot: string, pinnedVersion: string }} options
 * @returns {Promise<CliRecord>}
 */
const providePinnedCli = async ({ checkout, pinnedRoot: root, pinnedVersion: version }) => {
  const kept = readInstallation(root, version);
  if (kept !== undefined) return kept;

  const unfinishedRoot = `${root}.unfinished`;
  const reasons = [];
  for (const { origin, fill } of sources) {
    rmSync(unfinishedRoot, { recursive: true, force: true });
    const reason = await fill({ root: unfinishedRoot, version, checkout });
    if (reason === undefined) {
      writeFileSync(path.join(unfinishedRoot, 'origin'), `${origin}\n`);
      rmSync(root, { recursive: true, force: true });
      renameSync(unfinishedRoot, root);
      return { root, version, origin, stamp: stampOf(root) };
    }
    reasons.push(`- ${originNames[origin]}: ${reason}`);
  }
  rmSync(unfinishedRoot, { recursive: true, force: true });
  throw new SetupError(
    `there is no Pulumi CLI, and none could be provided:\n${reasons.join('\n')}\n` +
      'Install it by hand (https://www.pulumi.com/docs/install/) so that `pulumi version` works, ' +
      'or install a current Go (https://go.dev/dl/); then run this again.',
  );
};

/**
 * The installation of an earlier setup, of this or another checkout.
 *
 * @param {string} root
 * @param {string} version
 * @returns {CliRecord | undefined}
 */
const readInstallation = (root, version) => {
  try {
    const origin =
      readFileSync(path.join(root, 'origin'), 'utf8').trim() === 'installer' ? 'installer' : 'build';
    return { root, version, origin, stamp: stampOf(root) };
  } catch {
    return undefined;
  }
};
