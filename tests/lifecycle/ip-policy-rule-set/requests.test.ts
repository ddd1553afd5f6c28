import { readFileSync } from 'node:fs';
import path from 'node:path';
import { declaredSet } from '../../support/declarations';
import { type Scene, startScene } from '../../support/host';
import { done, type Outcome, StandInEngine } from '../../support/stand-in-engine';
import { checkout } from '../../support/workspace';
import { hosts } from './driver';

const PAGE_SIZE = 100;
const REQUESTS_PER_MINUTE = 120;

interface Cost {
  readonly create: number;
  readonly change: number;
  readonly refresh: number;
  readonly destroy: number;
}

/** What the rules of an account cost in so many sets of equal size, and other networks for one rule in a hundred. */
function costOf(rules: number, sets: number): Cost {
  const pages = (count: number): number => Math.max(1, Math.ceil(count / PAGE_SIZE));
  const perSet = rules / sets;
  return {
    create: rules,
    change: sets * 2 * Math.ceil(perSet / 100),
    refresh: pages(rules),
    destroy: rules,
  };
}

const timeFor = (requests: number): string => {
  const minutes = requests / REQUESTS_PER_MINUTE;
  if (minutes < 1) return 'under 1 min';
  return minutes < 600 ? `${Math.ceil(minutes)} min` : `${Math.round(minutes / 60)} h`;
};

/** The rows of the table in the document, as numbers and texts. */
const rows = readFileSync(path.join(checkout, 'docs', 'scale.md'), 'utf8')
  .split('<!-- calculated')[1]
  ?.split('<!-- end -->')[0]
  ?.split('\n')
  .filter((line) => /^\| +[\d,]+ \|/.test(line))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

const numberOf = (cell: string | undefined): number => Number((cell ?? '').replaceAll(',', ''));

test('the table in docs/scale.md is what the formulas say', () => {
  expect(rows).toHaveLength(6);
  for (const row of rows ?? []) {
    const [rules, sets, create, change, refresh, destroy] = row.slice(0, 6).map(numberOf);
    expect({ create, change, refresh, destroy }).toEqual(costOf(rules ?? 0, sets ?? 0));
    expect(row.slice(6)).toEqual([timeFor(create ?? 0), timeFor(refresh ?? 0)]);
  }
});

/** How many requests each step of sets takes, all in one policy. */
async function measure(scene: Scene, rules: number, sets: number): Promise<Cost> {
  const engine = new StandInEngine(() => scene.newProcess());
  const perSet = rules / sets;
  const program = (replaced: number) =>
    Array.from({ length: sets }, (_, index) => {
      const first = index * perSet;
      const left = hosts(perSet - replaced, 'allow', first + replaced);
      const anew = hosts(replaced, 'allow', rules + first);
      return declaredSet(`set${index}`, [...left, ...anew]);
    });
  const requestsOf = async (step: () => Promise<Outcome>): Promise<number> => {
    scene.emulator.clearJournal();
    await done(step());
    return scene.emulator.journal.length;
  };
  return {
    create: await requestsOf(() => engine.up(program(0))),
    change: await requestsOf(() => engine.up(program(Math.ceil(perSet / 100)))),
    refresh: await requestsOf(() => engine.refresh()),
    destroy: await requestsOf(() => engine.destroy()),
  };
}

test.each([
  [100, 1],
  [1000, 1],
  [1000, 10],
])('%i rules in %i sets cost what the formulas say', async (rules, sets) => {
  const scene = await startScene();
  expect(await measure(scene, rules, sets)).toEqual(costOf(rules, sets));
  expect(scene.emulator.state().rules).toEqual([]);
});
