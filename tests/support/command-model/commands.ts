import path from 'node:path';
import { parseDeployment, type StateResource } from '../../../cli/src/pulumi/deployment';
import { managedIds } from '../../../cli/src/pulumi/managed';
import { liveKey, type ResourceType } from '../../../provider/src/resources/provider-reference';
import type { PlannedStep } from '../../../cli/src/pulumi/preview';
import type { CommandResult } from '../command-line';
import { urnOf } from '../stand-in-engine/deployment';
import type { Declared } from '../stand-in-cli';
import { adoptedFiles, managedOf, snapshot, type World } from './world';

const writesIn = ({ emulator }: World): number =>
  emulator.journal.filter(({ method }) => method !== 'GET').length;

/** Calls a command and checks what is true of every command. */
const run = async (world: World, ...args: string[]): Promise<CommandResult> => {
  const [before, managedBefore, writes] = [snapshot(world), managedOf(world), writesIn(world)];
  const result = await world.line.run(...args);
  world.story.push(`${args.join(' ')}: ${result.exitCode} ${result.stderr.trim().slice(0, 300)}`);
  // No command changes the service, exit code 3 means that nothing at all was done, and no refusal of `recover` forgets pending
  // operations.
  expect(writesIn(world)).toBe(writes);
  if (result.exitCode === 3 || isRefusal(args, result)) expect(snapshot(world)).toEqual(before);
  // Every live object that was managed still is, under its name.
  const live = new Set(world.emulator.state().rules.map(({ id }) => id));
  const lost = [...managedBefore].filter(([id, urn]) => live.has(id) && managedOf(world).get(id) !== urn);
  expect(lost).toEqual([]);
  expectNoIdTwice(world);
  return result;
};

const isRefusal = ([command]: readonly string[], { exitCode, stdout }: CommandResult): boolean =>
  command === 'recover' && exitCode === 1 && !(JSON.parse(stdout) as { isApplied: boolean }).isApplied;

const expectNoIdTwice = ({ cli }: World): void => {
  const ids = cli.resources.flatMap((entry) => [
    ...managedIds(parseDeployment(JSON.stringify({ deployment: { resources: [entry] } }))).keys(),
  ]);
  expect(ids).toEqual([...new Set(ids)]);
  const urns = cli.resources.filter((entry) => entry.delete !== true).map(({ urn }) => urn);
  expect(urns).toEqual([...new Set(urns)]);
};

interface Shown {
  readonly urn: string;
  readonly verdict: string;
  readonly id?: string;
  readonly candidates?: readonly string[];
}

const recoverArguments = ({ recoverWaits }: World): string[] => [
  ...['recover', '--json'],
  ...(recoverWaits ? [] : ['--no-wait']),
];

/** The documented way after a killed run, with a decision wherever one is required. */
export const recover = async (world: World): Promise<void> => {
  const { cli } = world;
  const decisions: string[] = [];
  await giveUpEarly(world);
  for (let round = 0; round < 12; round += 1) {
    const result = await run(world, ...recoverArguments(world), '--yes', ...decisions);
    expect(result.stdout + result.stderr).not.toContain(world.secret);
    if (result.exitCode === 0) {
      expect(cli.pending).toEqual([]);
      const held = cli.resources.flatMap(({ id, delete: isDoomed }) => (isDoomed === true ? [] : [id]));
      const { operations } = JSON.parse(result.stdout) as { operations: readonly Shown[] };
      expect(operations.filter(({ verdict, id }) => verdict === 'take' && !held.includes(id))).toEqual([]);
      return;
    }
    expect(cli.pending).not.toEqual([]);
    const wasLocked = cli.isLocked;
    cli.isLocked = false;
    if (result.exitCode === 3) {
      // `--take` for a rule whose operation is then forgotten matches nothing, which is an error.
      expect(wasLocked || decisions.includes('--take')).toBe(true);
      while (!wasLocked && decisions.includes('--take')) decisions.splice(decisions.indexOf('--take'), 2);
      continue;
    }
    decisions.push(...(await decide(world, result, decisions)));
  }
  throw new Error('no decision settles it');
};

/** The ways to end before anything is decided: the service is down, or Ctrl-C in the countdown. Both leave everything as it is. */
const giveUpEarly = async (world: World): Promise<void> => {
  const { cli, emulator, line } = world;
  const before = snapshot(world);
  const isOurs = cli.pending.some((operation) => JSON.stringify(operation).includes('IpPolicyRule'));
  if (isOurs && world.dice.isLucky(0.2)) {
    const fault = emulator.fault({ kind: 'status', status: 503, times: 'always' });
    expect((await run(world, ...recoverArguments(world), '--yes')).exitCode).toBe(3);
    fault.remove();
  }
  expect(snapshot(world)).toEqual(before);
  if (!isOurs || !world.dice.isLucky(0.3)) return;
  const isInterrupted = await line.interruptInWait('recover', '--yes');
  world.story.push(`recover --yes: ${isInterrupted ? 'Ctrl-C in its countdown' : 'no countdown'}`);
  if (isInterrupted) expect(snapshot(world)).toEqual(before);
};

/** A rule can be brought in unless its resource is in the state; a person tries that, and forgets it otherwise. */
const decide = async (
  world: World,
  { stdout }: CommandResult,
  decisions: readonly string[],
): Promise<string[]> => {
  const { operations } = JSON.parse(stdout) as { operations: readonly Shown[] };
  const refused = operations.filter(({ verdict }) => verdict === 'refuse');
  expect(refused.length).toBeGreaterThan(0);
  const { urn, candidates = [] } = world.dice.pick(refused);
  const [id = ''] = (candidates[0] ?? '').split(' ');
  const take = ['--take', id];
  const canTake =
    world.dice.isLucky(0.5) &&
    id.startsWith('ipr_') &&
    (await run(world, ...recoverArguments(world), ...decisions, ...take)).exitCode === 1;
  return canTake && !decisions.includes(id) ? take : ['--clear', urn];
};

/** Adopts objects that no resource manages; an import that was killed is ended in the way that the next one names. */
export const adopt = async (world: World): Promise<void> => {
  const { cli } = world;
  const args = ['import', '--all', '--run', '--json'];
  if (cli.pending.length > 0) {
    expect((await run(world, ...args)).exitCode).toBe(3);
    return;
  }
  if (world.dice.isLucky(0.3)) {
    cli.killsImport = true;
    await run(world, ...args);
    cli.killsImport = false;
  }
  cli.isLocked = false;
  const filesBefore = adoptedFiles(world);
  const first = await run(world, ...args);
  const unfinished = /pulumi import --file (\S+)/.exec(first.stderr)?.[1];
  if (first.exitCode === 3 && unfinished !== undefined)
    cli.importFile(path.join(world.line.folder, unfinished));
  const result = first.exitCode === 3 ? await run(world, ...args) : first;
  if (result.exitCode === 3) return;
  // No file of an import is ever changed.
  expect(adoptedFiles(world)).toEqual(expect.arrayContaining(filesBefore));
  expectToldTruly(world, result);
  // Every module that was written becomes part of the program, as the command says.
  world.own ??= [...cli.program];
  cli.program = [...world.own, ...declaredByModules(world)];
  world.saveProgram();
};

const expectToldTruly = (world: World, { stdout, exitCode }: CommandResult): void => {
  const { resources, notAdoptable, problem } = JSON.parse(stdout) as {
    resources: { id: string }[];
    notAdoptable: object[];
    problem?: string;
  };
  expect(exitCode).toBe(notAdoptable.length === 0 && problem === undefined ? 0 : 1);
  if (problem !== undefined) return;
  expect(resources.every(({ id }) => world.cli.resources.some((entry) => entry.id === id))).toBe(true);
  const live = world.emulator.state().rules.map(({ id }) => id);
  expect(live.filter((id) => !managedOf(world).has(id))).toEqual([]);
};

/** Every resource that the written modules declare. */
const declaredByModules = (world: World): Declared[] => {
  const files = new Map(adoptedFiles(world));
  return [...files].flatMap(([name, text]) => {
    if (!name.endsWith('.import.json')) return [];
    const { resources } = JSON.parse(text) as {
      resources: { type: string; name: string; inputs: Declared['inputs'] }[];
    };
    const module = name.replace('.import.json', '.ts');
    return resources.flatMap(({ type, name: own, inputs }): Declared[] => {
      const { __provider: _reference, ...declared } = inputs;
      if (files.get(module)?.includes(`"${own}"`) !== true) return [];
      return [{ type: type.split(':').at(-1) as Declared['type'], name: own, inputs: declared, module }];
    });
  });
};

export const list = async (world: World): Promise<void> => {
  const { exitCode, stdout } = await run(world, 'list', '--unmanaged', '--json');
  expect(exitCode).toBe(0);
  const { policies } = JSON.parse(stdout) as { policies: { rules: { id: string }[] }[] };
  const managed = managedOf(world);
  const unmanaged = world.emulator.state().rules.filter(({ id }) => !managed.has(id));
  const ids = policies.flatMap(({ rules }) => rules.map(({ id }) => id));
  expect(ids.sort()).toEqual(unmanaged.map(({ id }) => id).sort());
};

/** `doctor` knows whether anything is pending, and its exit code says whether anything is red. */
export const doctor = async (world: World): Promise<void> => {
  const { exitCode, stdout } = await run(world, 'doctor', '--json');
  const findings = JSON.parse(stdout) as { what: string; status: string }[];
  const red = findings.filter(({ status }) => status === 'red').map(({ what }) => what);
  expect(exitCode).toBe(red.length > 0 ? 1 : 0);
  expect(red.includes('no interrupted run')).toBe(world.cli.pending.length > 0);
};

/** The live objects of an account, by the keys that a state knows them by. */
const liveIn = ({ emulator }: World): Set<string> => {
  const { rules, tcpModules, httpsModules } = emulator.state();
  const keysOf = (type: ResourceType, ids: readonly string[]): string[] => ids.map((id) => liveKey(type, id));
  return new Set([
    ...rules.map(({ id }) => id),
    ...keysOf('TcpEdgeTrafficPolicyModule', Object.keys(tcpModules)),
    ...keysOf('HttpsEdgeRouteUserAgentFilterModule', Object.keys(httpsModules)),
  ]);
};

/** Whether a step may delete what an entry has: also a set that no longer declares a rule, and a resource with a former name. */
const isLosing = ({ cli }: World, { op, urn }: PlannedStep, entry: StateResource): boolean => {
  if (!/delete|replace/.test(op) && !(op === 'update' && urn.includes('IpPolicyRuleSet'))) return false;
  const declared = cli.program.find((one) => urnOf(one) === urn);
  const formerUrns = (declared?.aliases ?? []).map((name) => urn.slice(0, urn.lastIndexOf(':') + 1) + name);
  return [urn, ...formerUrns].includes(entry.urn);
};

/** One more `up`: it deletes only what its preview says, and then everything declared is in the state once. */
export const upAtLast = async (world: World): Promise<void> => {
  const { cli, story } = world;
  cli.isLocked = false;
  const { steps } = await cli.planned();
  const kept = liveIn(world);
  for (const entry of cli.resources) {
    if (entry.delete !== true && !steps.some((step) => isLosing(world, step, entry))) continue;
    const deployment = JSON.stringify({ deployment: { resources: [entry] } });
    for (const id of managedIds(parseDeployment(deployment)).keys()) kept.delete(id);
  }
  const isDone = await cli.up();
  story.push(`last up: ${isDone ? 'done' : 'failed'}`);
  const live = liveIn(world);
  expect([...kept].filter((id) => !live.has(id))).toEqual([]);
  expectNoIdTwice(world);
  if (!isDone) return;
  expect(cli.program.filter((one) => cli.resources.every(({ urn }) => urn !== urnOf(one)))).toEqual([]);
};
