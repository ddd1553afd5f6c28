import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Bag, type Scene, startScene } from '../../support/host';
import { policyId } from '../../support/ids';
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

/** How many requests each step of sets takes, all in one policy, with a process per step. */
async function measure(scene: Scene, rules: number, sets: number): Promise<Cost> {
  const perSet = rules / sets;
  const kept: { id: string; inputs: Bag; outs: Bag }[] = [];
  const step = async (
    work: (provider: ReturnType<ReturnType<Scene['newProcess']>['provider']>) => Promise<void>,
  ) => {
    scene.emulator.clearJournal();
    const host = scene.newProcess();
    await work(host.provider('IpPolicyRuleSet'));
    host.end();
    return scene.emulator.journal.length;
  };
  const inputs = (index: number, first = 0): Bag => ({
    ipPolicyId: policyId,
    rules: JSON.stringify([
      ...hosts(perSet, 'allow', index * perSet).slice(Math.ceil((first * perSet) / 100)),
      ...hosts(Math.ceil((first * perSet) / 100), 'allow', rules + index * perSet),
    ]),
  });
  const create = await step(async (provider) => {
    for (let index = 0; index < sets; index += 1) {
      const checked = await provider.check({}, inputs(index));
      kept.push({ inputs: checked.inputs, ...(await provider.create(checked.inputs)) });
    }
  });
  const change = await step(async (provider) => {
    for (const [index, set] of kept.entries()) {
      const checked = await provider.check(set.inputs, inputs(index, 1));
      set.outs = (await provider.update(set.id, set.outs, checked.inputs)).outs;
    }
  });
  const refresh = await step(async (provider) => {
    await Promise.all(kept.map((set) => provider.read(set.id, set.outs)));
  });
  const destroy = await step(async (provider) => {
    await Promise.all(kept.map((set) => provider.delete(set.id, set.outs)));
  });
  return { create, change, refresh, destroy };
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
