import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** The first version of Node that can require ES modules. */
export const oldestNodeVersion = '20.19.0';

export const checkout = path.dirname(path.dirname(import.meta.dirname));

/** The oldest Pulumi CLI that is supported, and the one that is installed or built if the machine has none. */
export const { oldest: oldestCliVersion, newest: pinnedCliVersion } = JSON.parse(
  readFileSync(path.join(checkout, 'review', 'src', 'preview', 'cli-range.json'), 'utf8'),
);

/** Files that belong to this checkout and are removed with its dependencies. */
const checkoutCache = path.join(checkout, 'node_modules', '.cache', 'edge-policy');

/** Names the Pulumi CLI to use; read by tests, demo and benchmarks. */
export const cliRecordFile = path.join(checkoutCache, 'cli.json');

/** Files that survive the checkout, such as the Pulumi CLI. */
export const userCache = path.join(
  process.env['XDG_CACHE_HOME'] || path.join(os.homedir(), '.cache'),
  'edge-policy',
);

/** @param {string} version */
export const cliRoot = (version) => path.join(userCache, `pulumi-${version}`);
