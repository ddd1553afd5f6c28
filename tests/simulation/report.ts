import { inspect } from 'node:util';
import { shrink } from './shrink';
import { simulate, type Verdict } from './simulate';

const LONGEST_TIMELINE = 200;

/** A failing life in readable form: as small as possible, as text to store, with its time line. */
export async function explain(failing: Verdict): Promise<string> {
  const smallest = await shrink(failing);
  const { broken = '', timeline } = await simulate(smallest.life, true);
  return [
    `seed ${failing.life.seed}: ${failing.broken ?? ''}`,
    `the smallest life that fails in the same way (for tests/simulation/regressions.ts):`,
    inspect(smallest.life, { depth: null, breakLength: 110 }),
    ...timeline.slice(-LONGEST_TIMELINE),
    broken,
  ].join('\n');
}
