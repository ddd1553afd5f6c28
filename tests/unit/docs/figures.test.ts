import { writeFileSync } from 'node:fs';
import path from 'node:path';
import bench from '../../../bench/results.json';
import { isUpdate } from '../../support/generated-part';
import { checkout, textOf } from '../../support/workspace';

/** The size of the state after a step of the bench, in megabytes. */
const megabytesOf = (variant: string, count: number, step = 'create'): number =>
  (bench.results.find((one) => one.variant === variant && one.count === count && one.step === step)
    ?.stateBytes ?? NaN) / 1e6;

const [others, ours] = [megabytesOf('do-nothing', 1000), megabytesOf('rule', 1000)];

/** Where pages have a figure of the bench. */
test.each([
  [
    'docs/comparison.md',
    /(?<=size of the state, of 1,000 single rules +\| )[\d.]+ MB/,
    `${others.toFixed(1)} MB`,
  ],
  ['docs/comparison.md', /[\d.]+ MB(?=\]\(contributing\/performance\.md\))/, `${ours.toFixed(1)} MB`],
  [
    'README.md',
    /\w+(?= times\s+as large \(\[figures\])/,
    ['no', 'one', 'two', 'three', 'four', 'five'][Math.floor(others / ours)] ?? '',
  ],
  [
    'docs/scale.md',
    /[\d.]+ MB(?=, and an `up` uploads)/,
    `${megabytesOf('rule-set', 10_000, 'update').toFixed(1)} MB`,
  ],
])('%s takes its figure from bench/results.json: %s is %s', (page, place, wanted) => {
  if (isUpdate) writeFileSync(path.join(checkout, page), textOf(page).replace(place, wanted));
  expect(place.exec(textOf(page))?.[0]).toBe(wanted);
});
