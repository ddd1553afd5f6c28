import { livePartApart } from './parts';
import { explain } from './report';
import { simulateSeed } from './simulate';

const LIVES = Number(process.env['EDGE_POLICY_LIVES'] ?? 5_000);
const FIRST_SEED = Number(process.env['EDGE_POLICY_SEED']);

/** Lives one part of the ordinary run; there are as many parts as test files, which run side by side. */
export async function expectUnbroken(part: number, of: number): Promise<void> {
  const failures = await livePartApart({ firstSeed: FIRST_SEED, lives: LIVES, part, of });
  const [first] = failures;
  if (first === undefined) return;
  const seeds = failures.map(({ seed, invariant }) => `${seed} (${invariant})`);
  throw new Error(`seeds ${seeds.join(', ')}\n${await explain(await simulateSeed(first.seed))}`);
}
