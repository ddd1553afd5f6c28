// `npm run bench`: every way to manage a list of rules, side by side in one run. `--quick` takes a minute and prints one line of
// JSON per figure; the full run writes its results to bench/results.json and bench/results.md. `--pairs` only
// measures the figures that are compared in turns, which work on a busy machine, and renews those there.
import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { checkout } from '../tools/setup/paths.mjs';
import { measureClient } from './client.mjs';
import { figuresOf } from './figures.mjs';
import { measureHosts } from './hosts.mjs';
import { measureLoadTime } from './load-time.mjs';
import { allSteps, measure } from './measure.mjs';
import { writeReport } from './report.mjs';
import { startQuickService, startService } from './start-service.mjs';
import barePool from './variants/bare-pool.mjs';
import doNothing from './variants/do-nothing.mjs';
import { empty, one, oneNative } from './variants/empty.mjs';
import rule, { ruleNative } from './variants/rule.mjs';
import ruleSet, { ruleSetNative } from './variants/rule-set.mjs';
import { measureCompileCache, measureEngine } from './with-engine.mjs';

/** Add a variant here; `variants/pulumi-variant.mjs` says what it consists of. */
const variants = [doNothing, rule, ruleNative, ruleSet, ruleSetNative, barePool];

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    pairs: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
  },
});

const say = (line) => process.stderr.write(`${line}\n`);

/** The measurements for the ratios, in about a minute on two cores. */
const quickPlan = () => [
  { variant: empty, count: 0, steps: ['create'] },
  { variant: one, count: 1, steps: ['create', 'preview'], repetitions: 2 },
  { variant: doNothing, count: 100, steps: ['create'] },
  { variant: rule, count: 100, steps: ['create', 'preview'] },
  { variant: barePool, count: 10_000, steps: ['create'] },
  { variant: ruleSet, count: 10_000, steps: ['create', 'preview', 'change', 'refresh'], repetitions: 2 },
];

/** The largest size of a variant takes minutes, so it is measured once, and only with a service that answers at once. */
const takesMinutes = ({ maxCount }, count) => count === maxCount;

const isMeasured = (variant, count, latency) =>
  count <= variant.maxCount && !(latency > 0 && takesMinutes(variant, count));

/** A rate limit per minute, six times as fast. */
const rateLimit = { rateLimit: 400, rateLimitWindowMs: 10_000 };

const fullPlan = () => [
  { variant: empty, count: 0, steps: ['create', 'preview'], repetitions: 5 },
  { variant: one, count: 1, steps: ['create', 'preview'], repetitions: 5 },
  { variant: ruleSet, count: 100_000, steps: ['create', 'preview', 'change', 'refresh'], repetitions: 3 },
  { variant: ruleSet, count: 4000, steps: ['create'], switches: rateLimit },
  ...[0, 50].flatMap((latencyMs) =>
    [100, 1_000, 10_000].flatMap((count) =>
      variants
        .filter((variant) => isMeasured(variant, count, latencyMs))
        .map((variant) => ({
          variant,
          count,
          steps: allSteps,
          switches: { latencyMs },
          repetitions: takesMinutes(variant, count) ? 1 : 3,
        })),
    ),
  ),
];

const run = async () => {
  const service = await startService();
  const results = [];
  try {
    for (const part of options.quick ? quickPlan() : fullPlan()) {
      results.push(...(await measure({ service, say, ...part })));
    }
  } finally {
    service.close();
  }
  return results;
};

/** The comparisons in turns, against the service that does next to nothing. */
const runPairs = async (rounds) => {
  const quickService = await startQuickService();
  const figures = [];
  try {
    for (const measurePair of [
      measureClient,
      measureEngine,
      measureHosts,
      measureCompileCache,
      measureLoadTime,
    ]) {
      figures.push(...(await measurePair({ quickService, rounds })));
      say(
        figures
          .slice(-1)
          .map(({ name, value }) => `${name}: ${value}`)
          .join(),
      );
    }
  } finally {
    quickService.close();
  }
  return figures;
};

const machine = () => {
  const [cpu] = os.cpus();
  return `${os.cpus().length} x ${cpu?.model.trim()}, ${os.type()}, Node ${process.versions.node}.`;
};

/** A load far above the number of processors spoils wall times, and hardly affects processor times. */
const busyMachine = () => `${machine().replace(/\.$/, '')}, load ${os.loadavg()[0]?.toFixed(0)}.`;

const resultsFile = path.join(checkout, 'bench', 'results.json');

/** The last full run, with the figures that were measured anew. */
const withNewFigures = (pairs) => {
  const stored = JSON.parse(readFileSync(resultsFile, 'utf8'));
  const isOld = ({ name }) => pairs.every((figure) => figure.name !== name);
  return { ...stored, pairsMachine: busyMachine(), figures: [...stored.figures.filter(isOld), ...pairs] };
};

const write = (run) => {
  writeFileSync(resultsFile, `${JSON.stringify(run, null, 2)}\n`);
  const titles = new Map([...variants, empty, one, oneNative].map(({ id, title }) => [id, title]));
  writeReport(path.join(checkout, 'bench', 'results.md'), { ...run, titles });
};

const results = options.pairs ? [] : await run();
const pairs = await runPairs(options.quick ? 1 : Number(options.rounds));
const figures = [...figuresOf(results), ...pairs];
for (const figure of figures) console.log(JSON.stringify(figure));
if (options.pairs) write(withNewFigures(pairs));
else if (!options.quick) write({ machine: machine(), pairsMachine: busyMachine(), results, figures });
