import { writeFileSync } from 'node:fs';

/**
 * Writes the results of a full run as a page.
 *
 * @param {string} file
 * @param {{ results: import('./measure.mjs').Result[], figures: import('./figure.mjs').Figure[], titles: Map<string, string>, machine: string, pairsMachine: string }} run
 */
export const writeReport = (file, { results, figures, titles, machine, pairsMachine }) => {
  const parts = [
    '# Results of the benchmark',
    '',
    '<!-- Written by `npm run bench`; what the variants are is in docs/contributing/performance.md -->',
    '',
    `${machine} What is compared in turns: ${pairsMachine}`,
    '',
    figureTable(figures),
    '',
    ...latenciesOf(results).map((each) => section(results, each, titles)),
  ];
  writeFileSync(file, `${parts.join('\n').trim()}\n`);
};

const latenciesOf = (results) => [...new Set(results.filter(isStep).map(({ latencyMs }) => latencyMs))];
const isStep = ({ requestsPerSecond }) => requestsPerSecond === undefined;

const figureTable = (figures) =>
  table(
    ['Figure', 'Measured', 'Bound', ''],
    figures.map((figure) => [figure.name, String(figure.value), ...boundCells(figure)]),
  );

/** @param {import('./figure.mjs').Figure} figure */
const boundCells = ({ atMost, atLeast, isReached }) =>
  isReached === undefined
    ? ['', '']
    : [
        atMost === undefined ? `at least ${atLeast}` : `at most ${atMost}`,
        isReached ? 'reached' : '**not reached**',
      ];

const section = (results, latencyMs, titles) => {
  const rows = results.filter((result) => isStep(result) && result.latencyMs === latencyMs);
  return [
    `## Each answer takes ${latencyMs} ms more`,
    '',
    table(
      ['Variant', 'Rules', 'Step', 'Time', 'of (d)', 'Requests', 'State', 'Plugin memory'],
      rows.map((row) => [
        titles.get(row.variant) ?? row.variant,
        row.count.toLocaleString('en'),
        row.step,
        `${(row.wallMs / 1000).toFixed(1)} s`,
        ratioTo(rows, row),
        row.requests.toLocaleString('en'),
        row.stateBytes === undefined ? '' : `${(row.stateBytes / 1e6).toFixed(2)} MB`,
        row.peakMemoryBytes === undefined ? '' : `${Math.round(row.peakMemoryBytes / 2 ** 20)} MiB`,
      ]),
    ),
    '',
  ].join('\n');
};

/** How many times the time of the bare requests a row takes. */
const ratioTo = (rows, { variant, step, count, wallMs }) => {
  const bare = rows.find((row) => row.variant === 'bare-pool' && row.step === step && row.count === count);
  return bare === undefined || variant === 'bare-pool' ? '' : (wallMs / bare.wallMs).toFixed(1);
};

const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
