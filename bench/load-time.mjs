import { execFileSync } from 'node:child_process';
import { checkout } from '../tools/setup/paths.mjs';
import path from 'node:path';
import { median } from './median.mjs';

const RUNS = 9;

/**
 * How long a program takes to load the package when the SDK is loaded already: the median of fresh processes.
 *
 * @returns {import('./measure.mjs').Result}
 */
export const measureLoadTime = () => {
  const script = `
    require('@pulumi/pulumi');
    const startedAt = performance.now();
    require('pulumi-edge-policy');
    console.log(performance.now() - startedAt);`;
  const run = () =>
    Number(
      execFileSync(process.execPath, ['-e', script], { cwd: path.join(checkout, 'bench'), encoding: 'utf8' }),
    );
  return {
    variant: 'package',
    count: 0,
    step: 'load',
    latencyMs: 0,
    wallMs: median(Array.from({ length: RUNS }, run)),
    requests: 0,
  };
};
