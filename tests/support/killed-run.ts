import type { Emulator, HoldHandle } from '../../emulator/src/index';
import { eventually } from './eventually';
import type { PulumiStack } from './pulumi-stack';

/** A stack and the service that it works on. */
export interface Site {
  readonly stack: PulumiStack;
  readonly emulator: Emulator;
}

/** Kills CLI and plugin, or the plugin only, once so many requests stand behind their effect, and cuts the answers off; the lock stays behind. */
export const killBehindEffect = async (
  { stack, emulator }: Site,
  command: 'up' | 'destroy',
  held: { readonly methods: readonly string[]; readonly count: number; readonly isPluginOnly?: true },
): Promise<void> => {
  const holds = held.methods.map((method): HoldHandle => emulator.hold({ method, when: 'after' }));
  const run = stack.start([command, '--yes', '--skip-preview']);
  await eventually('requests stand at the barrier', () => {
    const waiting = holds.reduce((sum, hold) => sum + hold.waiting, 0);
    return waiting === held.count ? true : undefined;
  });
  if (held.isPluginOnly !== true) run.signal('SIGKILL');
  await run.killPlugins();
  for (const hold of holds) hold.drop();
  await run.finished;
};
