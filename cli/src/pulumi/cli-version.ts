import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import type { PulumiCli } from './pulumi-cli';

/** The first CLI that takes inputs and outputs from an import file without asking the provider to read. */
export const NEEDED_CLI_VERSION = '3.254.0';

/** Whether a version of dotted numbers is equal to another, or later. */
export function isAtLeast(version: string, least: string): boolean {
  const [have, need] = [numbers(version), numbers(least)];
  for (let part = 0; part < 3; part += 1) {
    const difference = (have[part] ?? 0) - (need[part] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

const numbers = (version: string): number[] =>
  (/\d+(\.\d+)*/.exec(version)?.[0] ?? '0').split('.').map(Number);

/** The version of the CLI on PATH, as `3.259.0`. */
export async function cliVersion(cli: PulumiCli): Promise<string> {
  const { stdout, stderr } = await cli.run(['version']);
  const version = /\d+\.\d+\.\d+\S*/.exec(stdout)?.[0];
  if (version === undefined)
    throw new UserError(`"pulumi version" printed no version: ${stderr.trim().slice(0, 200)}`);
  return version;
}

/** @throws UserError that names the required version, if the CLI is older. */
export async function requireImportingCli(cli: PulumiCli): Promise<void> {
  const version = await cliVersion(cli);
  if (isAtLeast(version, NEEDED_CLI_VERSION)) return;
  throw new UserError(
    `Pulumi CLI ${version} cannot import these resources: ${NEEDED_CLI_VERSION} or newer is needed, as older ones ask ` +
      `the provider to read, which fails for every dynamic resource (pulumi/pulumi#3550). Update the CLI and repeat.`,
  );
}
