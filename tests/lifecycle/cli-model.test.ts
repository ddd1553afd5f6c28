// The commands against random stacks with random histories: whatever happened, no documented command loses or doubles
// anything, none changes anything when repeated, and every exit code tells the truth.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Emulator } from '../../emulator/src/index';
import { parseDeployment } from '../../provider/src/cli/pulumi/deployment';
import { managedIds } from '../../provider/src/cli/pulumi/managed';
import { CommandLine, type CommandResult } from '../support/command-line';
import { IdleClock } from '../support/idle-clock';
import { otherPolicyId, otherTcpEdgeId, policyId, tcpEdgeId } from '../support/ids';
import { SecretsScan } from '../support/secrets-scan';
import { seededRandom } from '../support/seeded-random';
import { startService } from '../support/service-stack';
import { type Declared, StandInCli, urnOf } from '../support/stand-in-cli';

/** `LIVES=1000 SEED=7000` searches further. */
const LIVES = Number(process.env['LIVES'] ?? 60);
const CHUNKS = 6;

jest.setTimeout(300_000);

interface World {
  readonly random: () => number;
  readonly emulator: Emulator;
  readonly cli: StandInCli;
  readonly line: CommandLine;
  /** What happened, for the message of a failure. */
  readonly story: string[];
  nextNetwork: number;
  /** What the program declares beside the modules of imports. */
  readonly ownProgram: () => Declared[];
}

const below = ({ random }: World, limit: number): number => Math.floor(random() * limit);
const pick = <T>(world: World, list: readonly T[]): T => list[below(world, list.length)] as T;
const happens = ({ random }: World, share: number): boolean => random() < share;

const startWorld = async (seed: number): Promise<World> => {
  const random = seededRandom(seed);
  const clock = new IdleClock();
  const keys = { default: SecretsScan.makeUp('key'), second: SecretsScan.makeUp('key') };
  const duplicateCidr = random() < 0.5 ? 'accepted' : '409';
  const { emulator } = await startService({
    clock: () => clock.now(),
    accounts: { [keys.default]: 'default', [keys.second]: 'default' },
    switches: { duplicateCidr },
  });
  const cli = new StandInCli({ baseUrl: emulator.url, keys }, clock);
  const line = new CommandLine({ emulator, apiKey: keys.default });
  line.engine = { pulumi: cli.pulumi, clock };
  line.write('Pulumi.yaml', 'name: project\nruntime: nodejs\n');
  const story = [`seed ${seed}, duplicates ${duplicateCidr}`];
  let own: Declared[] | undefined;
  const ownProgram = (): Declared[] => (own ??= [...cli.program]);
  return { random, emulator, cli, line, story, nextNetwork: 0, ownProgram };
};

const newNetwork = (world: World): string => `10.${(world.nextNetwork += 1)}.0.0/16`;

const options = (world: World): Partial<Declared> => ({
  ...(happens(world, 0.2) && { component: 'site' }),
  ...(happens(world, 0.2) && { provider: 'second' }),
  ...(happens(world, 0.1) && { isProtected: true }),
});

const newRule = (world: World): Declared => {
  const cidr = newNetwork(world);
  const inputs = {
    ipPolicyId: pick(world, [policyId, otherPolicyId]),
    action: 'allow',
    cidr,
    description: 'one',
  };
  return { type: 'IpPolicyRule', name: `rule-${cidr.split('.')[1] ?? ''}`, inputs, ...options(world) };
};

const newSet = (world: World): Declared => {
  const networks = [newNetwork(world), newNetwork(world)];
  const rules = Object.fromEntries(networks.map((cidr) => [cidr, { action: 'deny' }]));
  const inputs = { ipPolicyId: policyId, rules: JSON.stringify(rules) };
  return { type: 'IpPolicyRuleSet', name: `set-${world.nextNetwork}`, inputs, ...options(world) };
};

const newModule = (world: World): Declared => {
  const edgeId = pick(world, [tcpEdgeId, otherTcpEdgeId]);
  const inputs = { edgeId, value: '{"inbound":[]}' };
  return { type: 'TcpEdgeTrafficPolicyModule', name: `module-${edgeId}`, inputs, ...options(world) };
};

/** Adds, drops, renames or changes a resource, as people edit. */
const editProgram = (world: World): void => {
  const { cli, story } = world;
  const kind = pick(world, ['rule', 'rule', 'set', 'module', 'twin', 'drop', 'rename', 'change']);
  if (kind === 'rule' || kind === 'set' || kind === 'module') {
    const added = { rule: newRule, set: newSet, module: newModule }[kind](world);
    // One edge has one module: a program that declares it twice is what no command can mend.
    const isNew = cli.program.every(
      ({ inputs }) => added.inputs['edgeId'] === undefined || inputs['edgeId'] !== added.inputs['edgeId'],
    );
    if (isNew) cli.program.push(added);
  } else if (cli.program.length > 0) {
    const at = below(world, cli.program.length);
    const old = cli.program[at];
    if (old === undefined) return;
    const isAlone = cli.program.every(({ name }) => name !== `${old.name}-twin`);
    if (kind === 'twin' && isAlone && old.type === 'IpPolicyRule')
      cli.program.push({ ...old, name: `${old.name}-twin` });
    if (kind === 'drop') cli.program.splice(at, 1);
    if (kind === 'rename') cli.program[at] = { ...old, name: `${old.name}-new`, alias: old.name };
    if (kind === 'change' && old.type === 'IpPolicyRule')
      cli.program[at] = { ...old, inputs: { ...old.inputs, description: pick(world, ['one', 'two']) } };
  }
  writeProgram(world);
  story.push(`edit: ${kind}`);
};

const writeProgram = ({ cli, line }: World): void => {
  line.write('index.ts', cli.program.map(({ name }) => `new X('${name}');\n`).join(''));
};

/** Somebody else edits, removes or adds a rule. */
const editRemotely = (world: World): void => {
  const { emulator, story } = world;
  const { rules } = emulator.state();
  const kind = pick(world, ['edit', 'remove', 'add']);
  if (kind === 'add') {
    const cidr = newNetwork(world);
    emulator.remote.createRule({ cidr, action: 'allow', ip_policy_id: policyId });
  } else if (rules.length > 0) {
    const { id } = pick(world, rules);
    if (kind === 'edit') emulator.remote.updateRule(id, { description: 'edited' });
    else emulator.remote.deleteRule(id);
  }
  story.push(`remote: ${kind}`);
};

const up = async (world: World, isKilled: boolean): Promise<void> => {
  const kill = { atStep: 1 + below(world, 3), width: 1 + below(world, 2), hasEffect: happens(world, 0.7) };
  const done = await world.cli.up(isKilled ? kill : undefined);
  world.story.push(isKilled ? `up, killed ${JSON.stringify(kill)}` : `up: ${done ? 'done' : 'failed'}`);
};

const makeHistory = async (world: World): Promise<void> => {
  editProgram(world);
  editProgram(world);
  for (let event = 0; event < 7; event += 1) {
    const kind = pick(world, ['edit', 'edit', 'remote', 'up', 'killed', 'killed', 'killed', 'cancel']);
    if (kind === 'edit') editProgram(world);
    else if (kind === 'remote') editRemotely(world);
    else if (kind === 'cancel') world.cli.isLocked = false;
    else await up(world, kind === 'killed');
  }
};

/** Everything that a command may change. */
const snapshot = ({ cli, emulator, line }: World): object => {
  const folder = path.join(line.folder, 'adopted');
  const files = listOrNone(folder).map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]);
  const resources = cli.resources.map((entry) => ({ ...entry, modified: undefined, created: undefined }));
  return { resources, pending: cli.pending, service: emulator.state(), files };
};

const listOrNone = (folder: string): string[] => {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
};

const managedOf = ({ cli }: World): Map<string, string> =>
  managedIds(parseDeployment(JSON.stringify({ deployment: { resources: cli.resources } })));

/** Calls a command and holds it to what is true of every command. */
const run = async (world: World, ...args: string[]): Promise<CommandResult> => {
  const before = snapshot(world);
  const managedBefore = managedOf(world);
  const writes = world.emulator.journal.filter(({ method }) => method !== 'GET').length;
  const result = await world.line.run(...args);
  world.story.push(`${args.join(' ')}: ${result.exitCode} ${result.stderr.trim().slice(0, 300)}`);
  // No command changes the service, and what exits with 3 has done nothing at all.
  expect(world.emulator.journal.filter(({ method }) => method !== 'GET')).toHaveLength(writes);
  if (result.exitCode === 3) expect(snapshot(world)).toEqual(before);
  // What lives and was managed still is, under the name that it had.
  const live = new Set(world.emulator.state().rules.map(({ id }) => id));
  const lost = [...managedBefore].filter(([id, urn]) => live.has(id) && managedOf(world).get(id) !== urn);
  expect(lost).toEqual([]);
  expectNoIdTwice(world);
  return result;
};

const expectNoIdTwice = ({ cli }: World): void => {
  const ids = cli.resources.flatMap((entry) => [
    ...managedIds(parseDeployment(JSON.stringify({ deployment: { resources: [entry] } }))).keys(),
  ]);
  expect(ids).toEqual([...new Set(ids)]);
  const urns = cli.resources.filter((entry) => entry.delete !== true).map(({ urn }) => urn);
  expect(urns).toEqual([...new Set(urns)]);
};

interface Shown {
  readonly reference: string;
  readonly verdict: string;
  readonly candidates?: readonly string[];
}

/** The documented way after a killed run, with a decision wherever one is asked for. */
const recover = async (world: World): Promise<void> => {
  const decisions: string[] = [];
  for (let round = 0; round < 12; round += 1) {
    const result = await run(world, 'recover', '--yes', '--no-wait', '--json', ...decisions);
    if (result.exitCode === 0) {
      expect(world.cli.pending).toEqual([]);
      return;
    }
    expect(world.cli.pending).not.toEqual([]);
    const wasLocked = world.cli.isLocked;
    world.cli.isLocked = false;
    if (result.exitCode === 3) {
      // A rule to take for an operation that is then forgotten fits nothing, and that is an error.
      expect(wasLocked || decisions.includes('--take')).toBe(true);
      while (!wasLocked && decisions.includes('--take')) decisions.splice(decisions.indexOf('--take'), 2);
      continue;
    }
    const { operations } = JSON.parse(result.stdout) as { operations: readonly Shown[] };
    const refused = operations.filter(({ verdict }) => verdict === 'refuse');
    expect(refused.length).toBeGreaterThan(0);
    const { reference, candidates = [] } = pick(world, refused);
    const [id = ''] = (candidates[0] ?? '').split(' ');
    // A rule can be brought in unless its resource stands in the state; a person tries that, and forgets it otherwise.
    const take = [...decisions, '--take', id];
    const canTake =
      happens(world, 0.5) &&
      id.startsWith('ipr_') &&
      (await run(world, 'recover', '--no-wait', '--json', ...take)).exitCode === 1;
    decisions.push(...(canTake && !decisions.includes(id) ? ['--take', id] : ['--clear', reference]));
  }
  throw new Error('no decision settles it');
};

const adopt = async (world: World): Promise<void> => {
  const force = happens(world, 0.5) ? ['--force'] : [];
  const args = ['import', '--all', '--run', '--json', ...force];
  if (world.cli.pending.length > 0) {
    expect((await run(world, ...args)).exitCode).toBe(3);
    return;
  }
  if (happens(world, 0.3)) {
    world.cli.killsImport = true;
    await run(world, ...args);
    world.cli.killsImport = false;
  }
  world.cli.isLocked = false;
  const declaredBefore = declaredByModules(world).map((one) => urnOf(one, one.name));
  const managedBefore = new Set(managedOf(world).values());
  const result = await run(world, ...args);
  if (result.exitCode === 3) return;
  // Code of what was managed is never dropped.
  const declaredNow = new Set(declaredByModules(world).map((one) => urnOf(one, one.name)));
  expect(declaredBefore.filter((urn) => managedBefore.has(urn) && !declaredNow.has(urn))).toEqual([]);
  const { resources, preview } = JSON.parse(result.stdout) as {
    resources: { id: string }[];
    preview: { lost: object[]; unsettled: object[]; problem?: string };
  };
  const isWell = preview.lost.length + preview.unsettled.length === 0 && preview.problem === undefined;
  expect(result.exitCode).toBe(isWell ? 0 : 1);
  expect(resources.every(({ id }) => world.cli.resources.some((entry) => entry.id === id))).toBe(true);
  const live = world.emulator.state().rules.map(({ id }) => id);
  expect(live.filter((id) => !managedOf(world).has(id))).toEqual([]);
  addModules(world);
};

/** Every resource that the written modules declare. */
const declaredByModules = ({ line }: World): Declared[] => {
  const folder = path.join(line.folder, 'adopted');
  const files = listOrNone(folder).filter((file) => file.endsWith('.import.json'));
  return files.flatMap((name) => {
    const { resources } = JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as {
      resources: { type: string; name: string; inputs: Declared['inputs'] }[];
    };
    const code = readFileSync(path.join(folder, name.replace('.import.json', '.ts')), 'utf8');
    return resources.flatMap(({ type, name: own, inputs }): Declared[] => {
      const { __provider: _reference, ...declared } = inputs;
      if (!code.includes(`"${own}"`)) return [];
      return [{ type: type.split(':').at(-1) as Declared['type'], name: own, inputs: declared }];
    });
  });
};

/** Makes every module that was written part of the program, as the command says: the program is what the files declare. */
const addModules = (world: World): void => {
  world.cli.program = [...world.ownProgram(), ...declaredByModules(world)];
};

const list = async (world: World): Promise<void> => {
  const { exitCode, stdout } = await run(world, 'list', '--unmanaged', '--json');
  expect(exitCode).toBe(0);
  const { policies } = JSON.parse(stdout) as { policies: { rules: { id: string }[] }[] };
  const managed = managedOf(world);
  const unmanaged = world.emulator.state().rules.filter(({ id }) => !managed.has(id));
  const ids = policies.flatMap(({ rules }) => rules.map(({ id }) => id));
  expect(ids.sort()).toEqual(unmanaged.map(({ id }) => id).sort());
};

/** One more `up`: it deletes only what its preview says, and what it declares is then in the state once. */
const upAtLast = async (world: World): Promise<void> => {
  const { cli, emulator, story } = world;
  cli.isLocked = false;
  const { stdout } = await cli.pulumi(['preview', '--json']);
  const { steps } = JSON.parse(stdout) as { steps: { op: string; urn: string }[] };
  const doomed = new Set(steps.filter(({ op }) => /delete|replace/.test(op)).map(({ urn }) => urn));
  const kept = new Set(emulator.state().rules.map(({ id }) => id));
  for (const entry of cli.resources) {
    const isDoomed = entry.delete === true || doomed.has(entry.urn);
    const deployment = JSON.stringify({ deployment: { resources: [entry] } });
    if (isDoomed) for (const id of managedIds(parseDeployment(deployment)).keys()) kept.delete(id);
  }
  const isDone = await cli.up();
  story.push(`last up: ${isDone ? 'done' : 'failed'}`);
  const live = new Set(emulator.state().rules.map(({ id }) => id));
  expect([...kept].filter((id) => !live.has(id))).toEqual([]);
  expectNoIdTwice(world);
  if (!isDone) return;
  expect(cli.program.filter((one) => cli.resources.every(({ urn }) => urn !== urnOf(one, one.name)))).toEqual(
    [],
  );
};

const commands = { recover, adopt, list };

const live = async (seed: number): Promise<void> => {
  const world = await startWorld(seed);
  try {
    await makeHistory(world);
    for (let turn = 0; turn < 5; turn += 1) {
      if (happens(world, 0.4)) editRemotely(world);
      const command = pick(world, Object.keys(commands) as (keyof typeof commands)[]);
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

const first = Number(process.env['SEED'] ?? 1);
const seedsOf = (chunk: number): number[] =>
  Array.from({ length: LIVES / CHUNKS }, (_, index) => first + chunk * (LIVES / CHUNKS) + index);

test.each(Array.from({ length: CHUNKS }, (_, chunk) => [seedsOf(chunk)]))(
  'no documented command loses, doubles or leaves anything untold: lives %j',
  async (seeds) => {
    for (const seed of seeds) await live(seed);
  },
);
