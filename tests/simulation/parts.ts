import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { simulateSeed } from './simulate';

/** Some of the lives from a seed on: every `of`-th, beginning with number `part`. */
export interface Part {
  readonly firstSeed: number;
  readonly lives: number;
  readonly part: number;
  readonly of: number;
}

/** A life that has failed. */
export interface Failure {
  readonly seed: number;
  readonly invariant: string;
}

/** Lives a part in this process. */
export async function livePart({ firstSeed, lives, part, of }: Part): Promise<Failure[]> {
  const failures: Failure[] = [];
  for (let seed = firstSeed + part; seed < firstSeed + lives; seed += of) {
    const { broken, invariant = '' } = await simulateSeed(seed);
    if (broken !== undefined) failures.push({ seed, invariant });
    // Virtual time never lets the event loop turn, but the end of the parent has to be noticed.
    await turnOfTheLoop();
  }
  return failures;
}

/**
 * Lives a part in a separate process, which ends with this one. It is twice as fast as within a test: Jest runs tests in a
 * context in which every use of a global takes long.
 */
export function livePartApart({ firstSeed, lives, part, of }: Part): Promise<Failure[]> {
  const loader = join(__dirname, '../support/typescript-require.cjs');
  const range = ['--seed', String(firstSeed), '--lives', String(lives)];
  const args = [...range, '--part', String(part), '--of', String(of)];
  return reportOf(fork(join(__dirname, 'command.ts'), args, { execArgv: ['-r', loader] }));
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
