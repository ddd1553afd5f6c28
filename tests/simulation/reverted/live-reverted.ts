// Lives the seeds of every reversion in one process, each with its edits and all of them without any, and prints what was broken.
import type * as simulateModule from '../simulate';
import type { Lived, Reversion, SourceEdit } from './reversions';
import { reversions } from './reversions';

// eslint-disable-next-line @typescript-eslint/no-require-imports -- it is what loads the sources, this one included
const { useEdits } = require('./patched-sources.cjs') as { useEdits: (edits: readonly SourceEdit[]) => void };

async function live(edits: readonly SourceEdit[], seeds: readonly number[]): Promise<Lived['verdicts']> {
  useEdits(edits);
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would be the same for all edits
  const { simulateSeed } = require('../simulate') as typeof simulateModule;
  const verdicts: Record<number, string> = {};
  for (const seed of seeds) verdicts[seed] = (await simulateSeed(seed)).invariant ?? 'unbroken';
  return verdicts;
}

async function main(all: readonly Reversion[]): Promise<void> {
  const lived: Lived[] = [];
  for (const { defect, edits, seeds } of all) lived.push({ defect, verdicts: await live(edits, seeds) });
  const seeds = [...new Set(all.flatMap((reversion) => reversion.seeds))];
  lived.push({ defect: 'none', verdicts: await live([], seeds) });
  process.stdout.write(JSON.stringify(lived));
}

void main(reversions);
