import range from './cli-range.json';

/**
 * The Pulumi CLIs that this version was tested on: from the first one that takes inputs and outputs from an import file without
 * asking the provider to read, to the one that is pinned.
 */
export const TESTED_CLIS = range;

/** Whether a version of dotted numbers is equal to another, or later. */
export function isVersionAtLeast(version: string, least: string): boolean {
  const [have, need] = [numbers(version), numbers(least)];
  for (let part = 0; part < 3; part += 1) {
    const difference = (have[part] ?? 0) - (need[part] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

const numbers = (version: string): number[] =>
  (/\d+(\.\d+)*/.exec(version)?.[0] ?? '0').split('.').map(Number);

/** Whether a CLI is one that this version was tested on. */
export const isTestedCli = (version: string): boolean =>
  isVersionAtLeast(version, range.oldest) && isVersionAtLeast(range.newest, version);
