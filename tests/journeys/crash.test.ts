import { setTimeout as sleep } from 'node:timers/promises';
import type { HoldHandle } from '../../emulator/src/index';
import type { CliResult } from '../support/cli-result';
import type { CliRun } from '../support/cli-run';
import { edgePolicy } from '../support/edge-policy-cli';
import { eventually } from '../support/eventually';
import { policyId, tcpEdgeId } from '../support/ids';
import type { Site } from '../support/killed-run';
import { literal, program } from '../support/programs';
import { stackOnService } from '../support/service-stack';
import { ownResources } from '../support/stack-state';

const rule = (name: string, cidr: string, more: object = {}): string =>
  `new IpPolicyRule('${name}', ${literal({ cidr, action: 'deny', ipPolicyId: policyId, ...more })});`;

const first = program(`${rule('changed', '10.0.0.0/8')} return {};`);
const declaring = (more: object = {}) =>
  program(`
  ${rule('changed', '10.0.0.0/9')}
  ${rule('made', '192.0.2.0/24', more)}
  new TcpEdgeTrafficPolicyModule('policy', { edgeId: '${tcpEdgeId}', value: '{"inbound":[]}' });
  return {};`);

/** How a run is ended in the middle of its requests. */
interface Crash {
  readonly how: string;
  /** Whether the service holds the requests before or after their effect. */
  readonly when: 'before' | 'after';
  readonly end: (run: CliRun, release: () => void) => Promise<void>;
  /** What docs/recovery.md tells an operator to do before the next `up` or `destroy`. */
  readonly recover: (site: Site) => Promise<void>;
}

const settled = async ({ stack }: Site): Promise<void> => {
  expect((await stack.state()).pendingOperations).toEqual([]);
};

const recoverPending = async (site: Site): Promise<void> => {
  await site.stack.killAll();
  await site.stack.cancel();
  // Nothing of the killed run is left that could still be working.
  const recovered = await edgePolicy(site.stack, ['recover', '--yes', '--no-wait', '--stack', 'dev']);
  if (!recovered.isSuccess) throw new Error(recovered.describe());
  await settled(site);
};

/** The engine forgets what the plugin was doing when it died. */
const takeOverUnrecorded = async (site: Site): Promise<void> => {
  await settled(site);
  const listed = await edgePolicy(site.stack, ['list', '--unmanaged', '--json', '--stack', 'dev']);
  const { policies } = listed.json as { policies: object[] };
  if (policies.length > 0) site.stack.writeProgram(declaring({ overwriteExisting: true }));
};

/** Each end of a run. A plugin that is killed before any effect leaves nothing to be recovered. */
const crashes: readonly Crash[] = [
  {
    how: 'one Ctrl-C',
    when: 'before',
    async end(run, release) {
      run.interrupt();
      // Longer than the CLI needs to say that it waits for what is under way.
      await sleep(1_000);
      release();
    },
    recover: settled,
  },
  {
    how: 'two Ctrl-C',
    when: 'before',
    async end(run) {
      run.interrupt();
      await sleep(1_000);
      run.interrupt();
    },
    recover: recoverPending,
  },
  {
    how: 'SIGKILL of the plugin',
    when: 'after',
    end: (run) => run.killPlugins(),
    recover: takeOverUnrecorded,
  },
];

test.each(crashes)(
  '$how while requests are held $when their effect: after the documented steps nothing is lost and nothing is twice',
  async (crash) => {
    const site = await stackOnService({ program: first });
    const { stack, emulator } = site;
    await stack.up();

    stack.writeProgram(declaring());
    await crashIn(site, { command: 'up', methods: ['POST', 'PATCH', 'PUT'], crash });
    await stack.up();
    await expectAsDeclared(site);

    await crashIn(site, { command: 'destroy', methods: ['DELETE'], crash });
    await stack.destroy();
    expect((await stack.state()).resources).toEqual([]);
    expect(emulator.state()).toMatchObject({ rules: [], tcpModules: {} });
  },
);

interface Crashing {
  readonly command: 'up' | 'destroy';
  readonly methods: readonly string[];
  readonly crash: Crash;
}

/** Ends a run while three requests stand at the barrier, and recovers. */
async function crashIn(site: Site, { command, methods, crash }: Crashing): Promise<void> {
  const { stack, emulator } = site;
  const holds = methods.map((method) => emulator.hold({ method, when: crash.when }));
  const run = stack.start([command, '--yes', '--skip-preview']);
  await threeAtBarrier(holds, run);
  await crash.end(run, () => {
    for (const hold of holds) hold.release();
  });
  const ended = await run.finished;
  // A destroy whose every request is under way is done when they are, whether cancelled or not.
  if (command === 'up') expect(ended.exitCode).not.toBe(0);
  await stack.killAll();
  // Only now, as the plugin would send again what is cut off.
  for (const hold of holds) hold.drop();
  stack.assertNoSecretWritten(ended);
  await crash.recover(site);
  expect(await stack.processes()).toEqual([]);
}

async function threeAtBarrier(holds: readonly HoldHandle[], run: CliRun): Promise<void> {
  let early: CliResult | undefined;
  void run.finished.then((result) => (early = result));
  await eventually('three requests stand at the barrier', () => {
    if (early !== undefined) throw new Error(`ended early: ${early.describe()}`);
    return holds.reduce((sum, { waiting }) => sum + waiting, 0) === 3 ? true : undefined;
  });
}

async function expectAsDeclared({ stack, emulator }: Site): Promise<void> {
  const { rules, tcpModules } = emulator.state();
  expect(rules.map(({ cidr }) => cidr).sort()).toEqual(['10.0.0.0/9', '192.0.2.0/24']);
  expect(Object.keys(tcpModules)).toEqual([tcpEdgeId]);
  const inState = ownResources(await stack.state()).map(({ id }) => id);
  expect(inState.sort()).toEqual([...rules.map(({ id }) => id), tcpEdgeId].sort());
  const { changes, output } = await stack.preview({ args: ['--refresh', '--diff'] });
  const { refresh: _reads, ...left } = changes;
  if (Object.keys(left).length > 0) throw new Error(`a change is left: ${output}`);
}

test('native plugins whose CLI was killed stop by themselves and send nothing more: one that is idle, one in a long retry', async () => {
  const idle = `const other = new Provider('other', {});
    new IpPolicyRule('idle', ${literal({ cidr: '10.0.0.0/8', action: 'deny', ipPolicyId: policyId })}, { provider: other });`;
  const { stack, emulator } = await stackOnService({
    program: program(`${idle} return {};`),
    host: 'native',
  });
  await stack.up();
  stack.writeProgram(program(`${idle} ${rule('made', '192.0.2.0/24')} return {};`));
  const retryMs = 120_000;
  const headers = { 'retry-after': String(retryMs / 1_000) };
  emulator.fault({ kind: 'status', method: 'POST', status: 429, headers, times: 'always' });
  const run = stack.start(['up', '--yes', '--skip-preview']);
  await eventually('the create was refused', () =>
    emulator.journal.some(({ status }) => status === 429) ? true : undefined,
  );
  expect(await run.pluginProcesses()).toHaveLength(2);
  run.signal('SIGKILL');
  // Long before the retry, and before the deadline of the operation.
  const nobodyLeft = async (): Promise<true | undefined> =>
    (await run.pluginProcesses()).length === 0 ? true : undefined;
  await eventually('both plugins have stopped', nobodyLeft, retryMs / 4);
  expect(emulator.journal.filter(({ status }) => status === 429)).toHaveLength(1);
});
