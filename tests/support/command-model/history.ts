import type { Dice } from '../dice';
import { httpsEdgeId, policyId, routeId } from '../ids';
import { declarationsOf } from '../random-program/declarations';
import { edited } from '../random-program/edit';
import type { Part, Program } from '../random-program/program';
import type { Declared } from '../stand-in-cli';
import { newNetwork, type World } from './world';

const additions = ['add rule', 'add rule', 'add set', 'add module', 'add filter'] as const;
const alterations = ['add double', 'drop', 'rename with alias', 'change', 'change'] as const;

/** Adds, drops, renames or changes a resource, as people edit. */
const editProgram = (world: World): void => {
  const { dice } = world;
  const kind = dice.pick([...additions, ...alterations]);
  const before = world.parts;
  world.parts = edited(before, kind, dice).map((part, index) =>
    index < before.length ? part : withOptions(part, dice),
  );
  world.cli.program = declaredOf(world.parts, world.secret);
  world.saveProgram();
  world.story.push(`edit: ${kind}`);
};

/** What matters to the commands besides what a resource is about. */
const withOptions = (part: Part, dice: Dice): Part => ({
  ...part,
  // A resource that takes over what is there leaves nothing to be recovered or adopted.
  overwrites: false,
  ...(dice.isLucky(0.2) && { component: 'site' }),
  ...(dice.isLucky(0.2) && { provider: 'second' }),
  ...(dice.isLucky(0.1) && { isProtected: true }),
  ...(part.kind === 'rule' && dice.isLucky(0.2) && { isSecret: true }),
});

const declaredOf = (program: Program, secret: string): Declared[] =>
  declarationsOf(program).map((declaration, index): Declared => {
    const part = program[index];
    if (part?.kind !== 'rule' || part.isSecret !== true) return declaration;
    return { ...declaration, inputs: { ...declaration.inputs, description: secret }, isSecret: true };
  });

/** Another user edits, removes or adds a rule, or empties an edge. */
export const editRemotely = (world: World): void => {
  const { emulator, story } = world;
  const { rules } = emulator.state();
  const kind = world.dice.pick(['edit', 'remove', 'add', 'filter']);
  if (kind === 'filter') {
    emulator.remote.modules('httpsModules').set(`${httpsEdgeId}/${routeId}`, {
      enabled: true,
      allow: [],
      deny: ['(?i)bot'],
    });
  } else if (kind === 'add') {
    emulator.remote.createRule({ cidr: newNetwork(world), action: 'allow', ip_policy_id: policyId });
  } else if (rules.length > 0) {
    const { id } = world.dice.pick(rules);
    if (kind === 'edit') emulator.remote.updateRule(id, { description: 'edited' });
    else emulator.remote.deleteRule(id);
  }
  story.push(`remote: ${kind}`);
};

const up = async (world: World, isKilled: boolean): Promise<void> => {
  const kill = {
    atStep: 1 + world.dice.below(3),
    width: 1 + world.dice.below(2),
    hasEffect: world.dice.isLucky(0.7),
  };
  const isDone = await world.cli.up(isKilled ? kill : undefined);
  world.story.push(isKilled ? `up, killed ${JSON.stringify(kill)}` : `up: ${isDone ? 'done' : 'failed'}`);
};

/** What happens to a stack before the commands are used. */
export const makeHistory = async (world: World, events: number): Promise<void> => {
  editProgram(world);
  editProgram(world);
  for (let event = 0; event < events; event += 1) {
    const kind = world.dice.pick([
      ...['edit', 'edit', 'remote', 'up', 'killed', 'killed', 'killed', 'cancel', 'foreign'],
    ]);
    if (kind === 'edit') editProgram(world);
    else if (kind === 'remote') editRemotely(world);
    else if (kind === 'cancel') world.cli.isLocked = false;
    else if (kind === 'foreign') world.cli.leaveForeignPending(`other-${event}`);
    else await up(world, kind === 'killed');
  }
};
