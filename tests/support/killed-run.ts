import type { Emulator, HoldHandle } from '../../emulator/src/index';
import type { CliRun } from './cli-run';
import { eventually } from './eventually';
import type { PulumiStack } from './pulumi-stack';

/** A stack and its service. */
export interface Site {
  readonly stack: PulumiStack;
  readonly emulator: Emulator;
}

/**
 * Kills CLI and plugin once a number of requests are held after their effect, and drops the answers; the lock stays behind.
 */
export const killBehindEffect = async (
  { stack, emulator }: Site,
  command: 'up' | 'destroy',
  held: { readonly methods: readonly string[]; readonly count: number; readonly args?: readonly string[] },
): Promise<void> => {
  const holds = held.methods.map((method): HoldHandle => emulator.hold({ method, when: 'after' }));
  const run = stack.start([command, '--yes', '--skip-preview', ...(held.args ?? [])]);
  await eventually('requests stand at the barrier', () => {
    const waiting = holds.reduce((sum, hold) => sum + hold.waiting, 0);
    return waiting === held.count ? true : undefined;
  });
  await killed(run, holds);
};

/** Kills an `up` at its first such request, before or after the effect; false if it makes none. */
export async function killAtFirst(
  { stack, emulator }: Site,
  held: { readonly method: string; readonly when: 'before' | 'after' },
): Promise<boolean> {
  const hold = emulator.hold(held);
  const run = stack.start(['up', '--yes', '--skip-preview']);
  let isOver = false;
  void run.finished.then(() => (isOver = true));
  await eventually('the run makes such a request, or ends', () => isOver || hold.waiting > 0 || undefined);
  await killed(run, [hold]);
  return !isOver;
}

async function killed(run: CliRun, holds: readonly HoldHandle[]): Promise<void> {
  run.signal('SIGKILL');
  await run.killPlugins();
  for (const hold of holds) hold.drop();
  await run.finished;
}
