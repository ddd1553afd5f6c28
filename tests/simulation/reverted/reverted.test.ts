import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Lived, reversions } from './reversions';

// All lives in one process of their own, which loads the sources with each edit anew; it may have to wait for a processor.
jest.setTimeout(600_000);

const lived = (): readonly Lived[] => {
  const loader = join(__dirname, 'patched-sources.cjs');
  const output = execFileSync(process.execPath, ['-r', loader, join(__dirname, 'live-reverted.ts')]);
  return JSON.parse(output.toString()) as readonly Lived[];
};

let all: readonly Lived[] = [];

beforeAll(() => {
  all = lived();
});

const verdictsOf = (wanted: string): Lived['verdicts'] =>
  all.find(({ defect }) => defect === wanted)?.verdicts ?? {};

test.each(reversions)('the simulation finds defect $defect', ({ defect, seeds, invariants }) => {
  const verdicts = verdictsOf(defect);
  expect(Object.keys(verdicts).map(Number)).toEqual(seeds);
  for (const verdict of Object.values(verdicts)) expect(invariants).toContain(verdict);
});

test('without a defect the same seeds live unbroken', () => {
  const verdicts = Object.values(verdictsOf('none'));
  expect(verdicts.length).toBeGreaterThan(20);
  expect(new Set(verdicts)).toEqual(new Set(['unbroken']));
});

test('docs/contributing/reliability.md lists each defect with what it breaks, and its seeds', () => {
  const page = readFileSync(join(__dirname, '../../../docs/contributing/reliability.md'), 'utf8');
  const rows = page.split('\n').map((line) => line.replace(/ {2,}/g, ' ').replaceAll('`', ''));
  for (const { defect, invariants, seeds } of reversions) {
    const what = defect.slice(defect.indexOf(': ') + 2);
    expect(rows).toContain(`| ${what} | ${invariants.join(', ')} | ${seeds.join(', ')} |`);
  }
});
