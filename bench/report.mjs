import { readFileSync, writeFileSync } from 'node:fs';

const BEGIN = '<!-- results: written by `npm run bench` -->';
const END = '<!-- end of results -->';

/**
 * Puts the results of a full run into the document, between its marks.
 *
 * @param {string} file
 * @param {{ results: import('./measure.mjs').Result[], figures: import('./figure.mjs').Figure[], titles: Map<string, string>, machine: string, pairsMachine: string }} run
 */
export const writeReport = (file, { results, figures, titles, machine, pairsMachine }) => {
  const text = readFileSync(file, 'utf8');
  const [before, rest] = text.split(BEGIN);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error(`${file} has no place for the results`);
  const parts = [
    `${machine} What is compared in turns: ${pairsMachine}`,
    '',
    figureTable(figures),
    '',
    ...latenciesOf(results).map((each) => section(results, each, titles)),
  ];
  writeFileSync(file, `${before}${BEGIN}\n\n${parts.join('\n').trim()}\n\n${END}${after}`);
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
    `### Each answer takes ${latencyMs} ms more`,
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
