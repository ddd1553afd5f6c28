import { run, lastLines, say, withProgress } from './terminal.mjs';

const SCRIPT_URL = 'https://get.pulumi.com/install.sh';
const PROBE_TIMEOUT_MS = 10_000;
const INSTALL_TIMEOUT_MS = 10 * 60_000;

// In a separate process: the SDK takes a second to load, offers no time limit, and starts a shell of its own.
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
 * @type {import('./pulumi-cli.mjs').CliSource}
 */
export const installOfficially = async ({ root, version, checkout }) => {
  const refusal = await probe();
  if (refusal !== undefined) return refusal;
  // The installer compares no checksums. Those of the archives are on the same host, so they would prove no more than https does.
  say(`installing the Pulumi CLI ${version} with the official installer, over https and without a checksum`);
  const { isSuccess, output } = await withProgress('still downloading the Pulumi CLI', () =>
    run(process.execPath, ['--eval', installation, version, root], {
      cwd: checkout,
      timeoutMs: INSTALL_TIMEOUT_MS,
    }),
  );
  return isSuccess ? undefined : `the installer failed:\n${lastLines(output, 5)}`;
};

/** If the network blocks the installer, this should cost seconds and not the whole time limit. */
const probe = async () => {
  try {
    const response = await fetch(SCRIPT_URL, {
      method: 'HEAD',
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
    return response.ok ? undefined : `${SCRIPT_URL} answers with status ${response.status}`;
  } catch {
    return `${SCRIPT_URL} cannot be reached`;
  }
};
