import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { sourcesHook } from '../support/workspace';
import { explain } from './report';
import { simulateSeed } from './simulate';

/** Lives from a seed on. */
interface Lives {
  readonly seed: number;
  readonly lives: number;
}

/** A life that has failed. */
interface Failure {
  readonly seed: number;
  readonly invariant: string;
}

/** Lives every `of`-th life in this process, beginning with number `part`. */
export async function livePart(all: Lives, { part, of }: { part: number; of: number }): Promise<Failure[]> {
  const failures: Failure[] = [];
  for (let seed = all.seed + part; seed < all.seed + all.lives; seed += of) {
    const { broken, invariant = '' } = await simulateSeed(seed);
    if (broken !== undefined) failures.push({ seed, invariant });
    // Virtual time never lets the event loop turn, but the end of the parent has to be noticed.
    await turnOfTheLoop();
  }
  return failures;
}

/**
 * Lives all, on all processors, and answers what there is to say about those that fail. Each process ends with this one, and is
 * twice as fast as a test: Jest runs tests in a context in which every use of a global takes long.
 */
export async function liveApart({ seed, lives }: Lives): Promise<string> {
  const of = Math.min(availableParallelism(), lives);
  const parts = Array.from({ length: of }, async (_, part) => {
    const args = Object.entries({ seed, lives, part, of }).map(([name, value]) => `--${name}=${value}`);
    const child = fork(join(__dirname, 'command.ts'), args, { execArgv: sourcesHook });
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`a process of the simulation ended with ${String(code)}`);
    });
    const [failures] = (await Promise.race([once(child, 'message'), ended])) as [Failure[]];
    return failures;
  });
  const failures = (await Promise.all(parts)).flat().sort((one, other) => one.seed - other.seed);
  const [first] = failures;
  if (first === undefined) return '';
  const seeds = failures.map((failure) => `seed ${failure.seed}: ${failure.invariant}`);
  return [await explain(await simulateSeed(first.seed)), ...seeds].join('\n');
}
