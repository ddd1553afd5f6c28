import { explain } from './report';
import { simulateSeed, type Verdict } from './simulate';

const LIVES = Number(process.env['EDGE_POLICY_LIVES'] ?? 1_000);
/** Fixed, so that a run tells of the change and not of the day; `npm run simulate` tries others. */
const FIRST_SEED = Number(process.env['EDGE_POLICY_SEED'] ?? 0);

/** Lives one part of the ordinary run; there are as many parts as test files, which run side by side. */
export async function livePart(part: number, parts: number): Promise<void> {
  const failed: Verdict[] = [];
  for (let seed = FIRST_SEED + part; seed < FIRST_SEED + LIVES; seed += parts) {
    const verdict = await simulateSeed(seed);
    if (verdict.broken !== undefined) failed.push(verdict);
  }
  const [first] = failed;
  if (first === undefined) return;
  const seeds = failed.map(({ life: { seed }, invariant = '' }) => `${seed} (${invariant})`);
  throw new Error(`seeds ${seeds.join(', ')}\n${await explain(first)}`);
}
