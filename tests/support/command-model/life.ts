// What for: random stacks with random histories, on which the documented commands must keep their promises.
// Must not know: how a command works inside: it calls them as users do.
//
// Runs the commands on random stacks with random histories: whatever happened, no documented command loses or doubles anything,
// none changes anything when repeated, and every exit code is right.
import { adopt, doctor, list, recover, upAtLast } from './commands';
import { editRemotely, makeHistory } from './history';
import { snapshot, type World } from './world';

const commands = { recover, adopt, list, doctor };
const choice = ['recover', 'recover', 'adopt', 'adopt', 'list', 'doctor'] as const;

/** How much happens in a life. */
export interface Length {
  readonly events: number;
  readonly turns: number;
}

/** Lives one life to its end; a failure tells the whole story. */
export const live = async (world: World, { events, turns }: Length): Promise<void> => {
  try {
    await makeHistory(world, events);
    for (let turn = 0; turn < turns; turn += 1) {
      if (world.dice.isLucky(0.4)) editRemotely(world);
      const command = world.dice.pick(choice);
      world.waitForLists();
      await commands[command](world);
      const before = snapshot(world);
      await commands[command](world);
      world.story.push(`${command} repeated`);
      expect(snapshot(world)).toEqual(before);
    }
    await recover(world);
    await upAtLast(world);
  } catch (error) {
    throw new Error(`${world.story.join('\n')}\n${String(error)}`, { cause: error });
  } finally {
    await world.emulator.close();
  }
};
