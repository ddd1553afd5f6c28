// `node tools/cli-root.mjs oldest` (or `newest`) provides that CLI of the supported range, and prints its folder as the last line: for the
// variable EDGE_POLICY_CLI of the tests.
import { oldestCliVersion, pinnedCliVersion } from './setup/paths.mjs';
import { provideCli } from './setup/pulumi-cli.mjs';

// What setup says belongs to people.
console.log = console.error;
const { root } = await provideCli(process.argv[2] === 'oldest' ? oldestCliVersion : pinnedCliVersion);
process.stdout.write(`${root}\n`);
