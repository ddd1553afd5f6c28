import range from './cli-range.json';

/**
 * The Pulumi CLIs that this version was tested on: from the first one that takes inputs and outputs from an import file without
 * asking the provider to read, to the one that is pinned.
 */
export const TESTED_CLIS = range;

/** Whether a version of dotted numbers is equal to another, or later; what follows the numbers does not count. */
export const isVersionAtLeast = (version: string, least: string): boolean =>
  NUMERIC.compare(numbersIn(version), numbersIn(least)) >= 0;

const numbersIn = (version: string): string => /\d+(\.\d+)*/.exec(version)?.[0] ?? '0';

const NUMERIC = new Intl.Collator('en', { numeric: true });

export const isTestedCli = (version: string): boolean =>
  isVersionAtLeast(version, range.oldest) && isVersionAtLeast(range.newest, version);
