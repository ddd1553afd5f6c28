// npm run simulate -- --lives N --seed S [--only]: lives from seed S on, on all processors.
import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { explain } from './report';
import { simulateSeed } from './simulate';

const { values } = parseArgs({
  options: {
    lives: { type: 'string', default: '5000' },
    seed: { type: 'string', default: '0' },
    /** How many failing lives are explained. */
    explain: { type: 'string', default: '1' },
    /** A part of the work of another process: every `of`-th seed. */
    part: { type: 'string' },
    of: { type: 'string', default: '1' },
  },
});
const lives = Number(values.lives);
const firstSeed = Number(values.seed);

/** What one process reports to the one that started it. */
interface Failure {
  readonly seed: number;
  readonly invariant: string;
}

async function liveAll(first: number, step: number): Promise<Failure[]> {
  const failures: Failure[] = [];
  for (let seed = firstSeed + first; seed < firstSeed + lives; seed += step) {
    const { broken, invariant = '' } = await simulateSeed(seed);
    if (broken !== undefined) failures.push({ seed, invariant });
  }
  return failures;
}

function startPart(part: number, of: number): ChildProcess {
  const args = ['--lives', values.lives, '--seed', values.seed, '--part', String(part), '--of', String(of)];
  return fork(__filename, args, { execArgv: process.execArgv });
}

const reportOf = (child: ChildProcess): Promise<Failure[]> =>
  new Promise((resolve, reject) => {
    child.once('message', (message) => {
      resolve(message as Failure[]);
    });
    child.once('exit', (code) => {
      reject(new Error(`a process of the simulation ended with ${String(code)}`));
    });
  });

async function main(): Promise<void> {
  if (values.part !== undefined) {
    process.send?.(await liveAll(Number(values.part), Number(values.of)));
    process.disconnect();
    return;
  }
  const startedAt = performance.now();
  const count = Math.min(availableParallelism(), lives);
  const parts = Array.from({ length: count }, (_, part) => startPart(part, count));
  const failures = (await Promise.all(parts.map(reportOf))).flat().sort((a, b) => a.seed - b.seed);
  const seconds = (performance.now() - startedAt) / 1000;
  for (const { seed } of failures.slice(0, Number(values.explain))) {
    console.log(await explain(await simulateSeed(seed)));
  }
  for (const { seed, invariant } of failures) console.log(`seed ${seed}: ${invariant}`);
  console.log(`${lives} lives, ${failures.length} failed, ${(lives / seconds).toFixed(1)} lives a second`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}

void main();
