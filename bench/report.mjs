import { writeFileSync } from 'node:fs';
import { variants } from './variants.mjs';

/**
 * Writes the results of a full run as a page.
 *
 * @param {string} file
 * @param {{ results: import('./measure.mjs').Result[], figures: import('./figures.mjs').Figure[], machine: string }} run
 */
export const writeReport = (file, { results, figures, machine }) => {
  const parts = [
    '# Results of the benchmark',
    '',
    '<!-- Written by `npm run bench`; what the variants are is in docs/contributing/performance.md -->',
    '',
    machine,
    '',
    figureTable(figures),
    '',
    stepTable(results.filter(({ requestsPerSecond }) => requestsPerSecond === undefined)),
  ];
  writeFileSync(file, `${parts.join('\n').trim()}\n`);
};

const figureTable = (figures) =>
  table(
    ['Figure', 'Measured', 'Bound', ''],
    figures.map((figure) => [figure.name, String(figure.value), ...boundCells(figure)]),
  );

/** @param {import('./figures.mjs').Figure} figure */
const boundCells = ({ atMost, atLeast, isReached }) =>
  isReached === undefined
    ? ['', '']
    : [
        atMost === undefined ? `at least ${atLeast}` : `at most ${atMost}`,
        isReached ? 'reached' : '**not reached**',
      ];

const stepTable = (results) =>
  table(
    ['Variant', 'Rules', 'Step', 'Time', 'of (d)', 'Requests', 'State', 'Plugin memory'],
    results.map((row) => [
      variants[row.variant]?.title ?? row.variant,
      row.count.toLocaleString('en'),
      row.step,
      `${(row.wallMs / 1000).toFixed(1)} s`,
      ratioTo(results, row),
      row.requests.toLocaleString('en'),
      row.stateBytes === undefined ? '' : `${(row.stateBytes / 1e6).toFixed(2)} MB`,
      row.peakMemoryBytes === undefined ? '' : `${Math.round(row.peakMemoryBytes / 2 ** 20)} MiB`,
    ]),
  );

/** How many times the time of the bare requests a row takes. */
const ratioTo = (rows, { variant, step, count, wallMs }) => {
  const bare = rows.find((row) => row.variant === 'bare-pool' && row.step === step && row.count === count);
  return bare === undefined || variant === 'bare-pool' ? '' : (wallMs / bare.wallMs).toFixed(1);
};

const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
