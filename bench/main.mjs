// `npm run bench`: every way to manage a list of rules, side by side in one run, which writes bench/results.json and
// bench/results.md. `--quick` measures the ratios alone, and writes no file. `npm run bench -- review` measures the command
// `review`, and `-- traffic` the command `explain --traffic`. Each prints a line of JSON per figure, and fails if one is beyond its bound.
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { startEmulator } from '../tools/demo/emulator-process.mjs';
import { checkout } from '../tools/setup/paths.mjs';
import { figuresOf } from './figures.mjs';
import { allSteps, measure } from './measure.mjs';
import { writeReport } from './report.mjs';
import { reviewFigures } from './review.mjs';
import { trafficFigures } from './traffic.mjs';
import { variants } from './variants.mjs';

/** The measurements for the ratios, in some minutes. */
const QUICK = [
  { variant: 'empty', count: 0, steps: ['create'] },
  { variant: 'one', count: 1, steps: ['create', 'preview'], repetitions: 2 },
  { variant: 'do-nothing', count: 100, steps: ['create'] },
  { variant: 'rule', count: 100, steps: ['create', 'preview'] },
  { variant: 'bare-pool', count: 10_000, steps: ['create'] },
  { variant: 'rule-set', count: 10_000, steps: ['create', 'preview', 'change', 'refresh'], repetitions: 2 },
];

/** A rate limit per minute, six times as fast. */
const RATE_LIMIT = { rateLimit: 400, rateLimitWindowMs: 10_000 };

const FULL = [
  { variant: 'empty', count: 0, steps: ['create', 'preview'], repetitions: 5 },
  { variant: 'one', count: 1, steps: ['create', 'preview'], repetitions: 5 },
  { variant: 'rule-set', count: 100_000, steps: ['create', 'preview', 'change', 'refresh'], repetitions: 3 },
  { variant: 'rule-set', count: 4000, steps: ['create'], switches: RATE_LIMIT },
  ...[100, 1_000, 10_000].flatMap((count) =>
    Object.entries(variants)
      .filter(([, { maxCount }]) => count <= maxCount)
      .map(([variant, { maxCount }]) => ({
        ...{ variant, count, steps: allSteps },
        // The largest size of a variant takes minutes.
        repetitions: count === maxCount ? 1 : 3,
      })),
  ),
];

/** The emulator as a separate process, so that its work does not count as the provider's. */
export const startService = async () => {
  const apiKey = 'bench-key';
  const { url, stop, control } = await startEmulator(apiKey, '--journal=counts');
  return {
    ...{ url, apiKey, close: stop },
    /** Empties the account and sets switches. */
    reset: async (switches = {}) => {
      await control('POST', 'reset');
      await control('PATCH', 'switches', switches);
    },
    /** How many requests there were since the last reset. */
    requestCount: async () =>
      Object.values(await control('GET', 'counts')).reduce((sum, count) => sum + count, 0),
  };
};

const runPlan = async (plan) => {
  const service = await startService();
  const results = [];
  try {
    for (const part of plan) results.push(...(await measure({ service, ...part })));
  } finally {
    service.close();
  }
  return results;
};

const print = (figure) => {
  if (figure.isReached === false) process.exitCode = 1;
  console.log(JSON.stringify(figure));
};

const write = (results) => {
  const [cpu] = os.cpus();
  const machine = `${os.cpus().length} x ${cpu?.model.trim()}, ${os.type()}, Node ${process.versions.node}.`;
  const run = { machine, results, figures: figuresOf(results) };
  writeFileSync(path.join(checkout, 'bench', 'results.json'), `${JSON.stringify(run, null, 2)}\n`);
  writeReport(path.join(checkout, 'bench', 'results.md'), run);
};

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values, positionals } = parseArgs({
    options: { quick: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const parts = { review: reviewFigures, traffic: trafficFigures };
  const asked = parts[positionals[0]];
  if (asked) for (const figure of asked()) print(figure);
  else {
    const results = await runPlan(values.quick ? QUICK : FULL);
    for (const figure of figuresOf(results)) print(figure);
    if (!values.quick) write(results);
  }
}
