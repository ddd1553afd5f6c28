// npm run simulate -- --lives N --seed S: lives from seed S on, on all processors.
import { parseArgs } from 'node:util';
import { liveApart, livePart } from './lives';

const { values } = parseArgs({
  options: {
    lives: { type: 'string', default: '5000' },
    seed: { type: 'string', default: '0' },
    /** The part of the work that a process does for another one: every `of`-th seed. */
    part: { type: 'string' },
    of: { type: 'string', default: '1' },
  },
});
const all = { seed: Number(values.seed), lives: Number(values.lives) };

async function main(): Promise<void> {
  if (values.part === undefined) {
    const said = await liveApart(all);
    console.log(said === '' ? `${all.lives} lives, and none has failed` : said);
    process.exitCode = said === '' ? 0 : 1;
    return;
  }
  process.once('disconnect', () => process.exit());
  const failures = await livePart(all, { part: Number(values.part), of: Number(values.of) });
  process.send?.(failures, () => {
    process.disconnect();
  });
}

void main();
