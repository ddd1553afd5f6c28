import type { Emulator, HoldHandle } from '../../emulator/src/index';
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
  run.signal('SIGKILL');
  await run.killPlugins();
  for (const hold of holds) hold.drop();
  await run.finished;
};
