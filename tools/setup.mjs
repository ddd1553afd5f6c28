// Prepares a fresh clone for work: npm dependencies, compiled packages, a Pulumi CLI. Runs before `npm start` and `npm test`, so
// it uses nothing but Node itself, and ends in a moment if there is nothing to do.
import { areDependenciesInstalled, buildPackages, installDependencies } from './setup/dependencies.mjs';
import { withLock } from './setup/lock.mjs';
import * as paths from './setup/paths.mjs';
import { readRecord } from './setup/cli-record.mjs';
import { providePulumiCli } from './setup/pulumi-cli.mjs';
import { SetupError, formatElapsed, say } from './setup/terminal.mjs';
import { isAtLeast } from './setup/version.mjs';

const { checkout } = paths;

const isReady = () => areDependenciesInstalled(checkout) && readRecord(paths.cliRecordFile) !== undefined;

const setUp = async () => {
  if (!isAtLeast(process.versions.node, paths.oldestNodeVersion)) {
    throw new SetupError(
      `Node ${paths.oldestNodeVersion} or newer is needed, and this is ${process.versions.node}. ` +
        'Install a current one from https://nodejs.org/.',
    );
  }
  const wasReady = isReady();
  const startedAt = Date.now();
  await withLock(paths.checkoutLockFile, async () => {
    await installDependencies(checkout);
    if (!wasReady) say('building the packages');
    await buildPackages(checkout);
    await providePulumiCli({
      checkout,
      recordFile: paths.cliRecordFile,
      pinnedRoot: paths.pinnedCliRoot,
      pinnedVersion: paths.pinnedCliVersion,
      oldestVersion: paths.oldestCliVersion,
    });
  });
  if (!wasReady) say(`ready (${formatElapsed(Date.now() - startedAt)})`);
};

// Leaving through exit lets the exit handlers end child processes and remove the locks.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

try {
  await setUp();
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(`setup failed: ${error.message}`);
  process.exitCode = 1;
}
