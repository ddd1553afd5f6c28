import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { checkout } from '../tools/setup/paths.mjs';
import { atMost, plain } from './figure.mjs';
import { median } from './median.mjs';

const RUNS = 9;

/** Ready to check and compare, which sends nothing. */
const handler = `require('pulumi-edge-policy/handler').handler('IpPolicyRule')`;
const program = `require('pulumi-edge-policy')`;

/** How much processor time a fresh process spends until this has run, with the SDK already loaded. */
const loadTime = (script) =>
  Number(
    execFileSync(
      process.execPath,
      [
        '-e',
        `
        require('@pulumi/pulumi');
        const before = process.cpuUsage();
        ${script};
        const { user, system } = process.cpuUsage(before);
        console.log((user + system) / 1000);`,
      ],
      { cwd: path.join(checkout, 'bench'), encoding: 'utf8' },
    ),
  );

const medianLoadTime = (script) => median(Array.from({ length: RUNS }, () => loadTime(script)));

/** The HTTP library, which a plugin would otherwise load at once: 45 ms on the machine that the bound is from. */
const library = `require('axios')`;
/** 10 ms of 45. */
const BOUND = 0.22;

/** What the package adds to the SDK: in the plugin, and in the program. The ratio is the same on a slower machine. */
export const measureLoadTime = () => {
  const ofHandler = medianLoadTime(handler);
  return [
    plain('loading the handler over @pulumi/pulumi, ms on the processor', ofHandler),
    atMost('loading the handler, times loading axios', ofHandler / medianLoadTime(library), BOUND),
    plain('loading the package over @pulumi/pulumi, ms on the processor', medianLoadTime(program)),
  ];
};
