// npm run simulate -- --lives N --seed S: lives from seed S on, on all processors.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { livePart, livePartApart } from './parts';
import { explain } from './report';
import { simulateSeed } from './simulate';

const { values } = parseArgs({
  options: {
    lives: { type: 'string', default: '5000' },
    seed: { type: 'string', default: '0' },
    /** How many failing lives are explained. */
    explain: { type: 'string', default: '1' },
    /** The part of the work that another process does: every `of`-th seed. */
    part: { type: 'string' },
    of: { type: 'string', default: '1' },
  },
});
const lives = Number(values.lives);
const firstSeed = Number(values.seed);

async function main(): Promise<void> {
  if (values.part !== undefined) {
    process.once('disconnect', () => process.exit());
    const failures = await livePart({
      firstSeed,
      lives,
      part: Number(values.part),
      of: Number(values.of),
    });
    process.send?.(failures, () => {
      process.disconnect();
    });
    return;
  }
  const startedAt = performance.now();
  const count = Math.min(availableParallelism(), lives);
  const parts = Array.from({ length: count }, (_, part) =>
    livePartApart({ firstSeed, lives, part, of: count }),
  );
  const failures = (await Promise.all(parts)).flat().sort((a, b) => a.seed - b.seed);
  const seconds = (performance.now() - startedAt) / 1000;
  for (const { seed } of failures.slice(0, Number(values.explain))) {
    console.log(await explain(await simulateSeed(seed)));
  }
  for (const { seed, invariant } of failures) console.log(`seed ${seed}: ${invariant}`);
  console.log(`${lives} lives, ${failures.length} failed, ${(lives / seconds).toFixed(1)} lives a second`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}

void main();
