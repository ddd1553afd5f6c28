import {
  httpsEdgeId,
  otherPolicyId,
  otherRouteId,
  otherTcpEdgeId,
  policyId,
  routeId,
  tcpEdgeId,
} from '../ids';
import type { Declared } from './model-cli';
import { newNetwork, type World } from './world';

const options = (world: World): Partial<Declared> => ({
  ...(world.dice.isLucky(0.2) && { component: 'site' }),
  ...(world.dice.isLucky(0.2) && { provider: 'second' }),
  ...(world.dice.isLucky(0.1) && { isProtected: true }),
});

const newRule = (world: World): Declared => {
  const cidr = newNetwork(world);
  const isSecret = world.dice.isLucky(0.2);
  const inputs = {
    ipPolicyId: world.dice.pick([policyId, otherPolicyId]),
    action: 'allow',
    cidr,
    description: isSecret ? world.secret : 'one',
  };
  const name = `rule-${cidr.split('.')[1] ?? ''}`;
  return { type: 'IpPolicyRule', name, inputs, ...options(world), ...(isSecret && { isSecret }) };
};

type SetRules = Record<string, { action: string; description?: string }>;

const newSet = (world: World): Declared => {
  const rules = Object.fromEntries([1, 2].map(() => [newNetwork(world), { action: 'deny' }]));
  const inputs = { ipPolicyId: policyId, rules: JSON.stringify(rules) };
  return { type: 'IpPolicyRuleSet', name: `set-${world.nextNetwork}`, inputs, ...options(world) };
};

const newTcpModule = (world: World): Declared => {
  const edgeId = world.dice.pick([tcpEdgeId, otherTcpEdgeId]);
  const inputs = { edgeId, value: '{"inbound":[]}' };
  return { type: 'TcpEdgeTrafficPolicyModule', name: `module-${edgeId}`, inputs, ...options(world) };
};

const newFilter = (world: World): Declared => {
  const route = world.dice.pick([routeId, otherRouteId]);
  const inputs = { edgeId: httpsEdgeId, routeId: route, deny: ['(?i)curl'] };
  return {
    type: 'HttpsEdgeRouteUserAgentFilterModule',
    name: `filter-${route}`,
    inputs,
    ...options(world),
  };
};

const makers = { rule: newRule, set: newSet, module: newTcpModule, filter: newFilter };

/** The place of a module: an edge or route has one, and no command can repair a program that declares it twice. */
const placeOf = ({ inputs }: Declared): unknown => inputs['routeId'] ?? inputs['edgeId'];

const changed = (world: World, { type, inputs, isSecret }: Declared): Declared['inputs'] => {
  switch (type) {
    case 'IpPolicyRule':
      return { ...inputs, description: world.dice.pick(isSecret === true ? [world.secret] : ['one', 'two']) };
    case 'IpPolicyRuleSet':
      return {
        ...inputs,
        rules: JSON.stringify(changedRules(world, JSON.parse(String(inputs['rules'])) as SetRules)),
      };
    case 'TcpEdgeTrafficPolicyModule':
      return { ...inputs, value: world.dice.pick(['{"inbound":[]}', '{"inbound":[],"outbound":[]}']) };
    case 'HttpsEdgeRouteUserAgentFilterModule':
      return { ...inputs, deny: world.dice.pick([['(?i)curl'], ['(?i)wget', '(?i)curl']]) };
    default:
      throw new Error(`no program of the model declares ${String(type)}`);
  }
};

/** One rule added or removed, or given another action or text. */
const changedRules = (world: World, rules: SetRules): SetRules => {
  const [network = '', ...others] = Object.keys(rules);
  const rest = Object.fromEntries(others.map((cidr) => [cidr, rules[cidr] ?? { action: 'deny' }]));
  switch (world.dice.pick(['more', 'less', 'action', 'text'])) {
    case 'more':
      return { ...rules, [newNetwork(world)]: { action: 'allow' } };
    case 'less':
      return others.length === 0 ? rules : rest;
    case 'action':
      return { ...rest, [network]: { action: 'allow' } };
    default:
      return { ...rest, [network]: { action: 'deny', description: world.dice.pick(['one', 'two']) } };
  }
};

const addResource = (world: World, kind: keyof typeof makers): void => {
  const added = makers[kind](world);
  const { program } = world.cli;
  if (program.every((other) => placeOf(added) === undefined || placeOf(other) !== placeOf(added)))
    program.push(added);
};

const alterResource = (world: World, kind: 'twin' | 'drop' | 'rename' | 'change'): void => {
  const { program } = world.cli;
  const at = world.dice.below(program.length);
  const old = program[at];
  if (old === undefined) return;
  const isAlone = program.every(({ name }) => name !== `${old.name}-twin`);
  if (kind === 'twin' && isAlone && old.type === 'IpPolicyRule')
    program.push({ ...old, name: `${old.name}-twin` });
  if (kind === 'drop') program.splice(at, 1);
  if (kind === 'rename') program[at] = { ...old, name: `${old.name}-new`, aliases: [old.name] };
  if (kind === 'change') program[at] = { ...old, inputs: changed(world, old) };
};

/** Adds, drops, renames or changes a resource, as people edit. */
const editProgram = (world: World): void => {
  const adding = ['rule', 'rule', 'set', 'module', 'filter'] as const;
  const altering = ['twin', 'drop', 'rename', 'change', 'change'] as const;
  const kind = world.dice.pick([...adding, ...altering]);
  if (kind in makers) addResource(world, kind as keyof typeof makers);
  else alterResource(world, kind as (typeof altering)[number]);
  world.saveProgram();
  world.story.push(`edit: ${kind}`);
};

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
    else if (kind === 'cancel') await world.cli.unlock();
    else if (kind === 'foreign') world.cli.leaveForeignPending?.(`other-${event}`);
    else await up(world, kind === 'killed');
  }
};
