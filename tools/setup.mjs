// Prepares a fresh clone for work: npm dependencies, compiled packages, a Pulumi CLI. Runs before `npm start` and `npm test`, so
// it uses nothing but Node itself, and ends in a moment if there is nothing to do.
import { areDependenciesInstalled, buildPackages, installDependencies } from './setup/dependencies.mjs';
import { checkout, oldestNodeVersion } from './setup/paths.mjs';
import { providePulumiCli } from './setup/pulumi-cli.mjs';
import { SetupError } from './setup/terminal.mjs';
import { isAtLeast } from './setup/version.mjs';

try {
  if (!isAtLeast(process.versions.node, oldestNodeVersion)) {
    throw new SetupError(
      `Node ${oldestNodeVersion} or newer is needed, and this is ${process.versions.node}. ` +
        'Install a current one from https://nodejs.org/.',
    );
  }
  if (!areDependenciesInstalled(checkout)) installDependencies(checkout);
  await buildPackages(checkout);
  await providePulumiCli();
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(`setup failed: ${error.message}`);
  process.exitCode = 1;
}
