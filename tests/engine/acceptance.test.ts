import { readdirSync } from 'node:fs';
import path from 'node:path';
import { startTool } from '../support/cli-run';
import { eventually } from '../support/eventually';
import { folderOf } from '../support/folder';
import { httpsEdgeId, policyId, routeId, tcpEdgeId } from '../support/ids';
import { startService } from '../support/service-stack';

jest.setTimeout(400_000);

const TARGETS = [`--policy=${policyId}`, `--edge=${tcpEdgeId}`, `--route=${httpsEdgeId}/${routeId}`];

/** `npm run acceptance` on an emulator, without its setup. */
async function serviceToAccept() {
  const { emulator, apiKey } = await startService();
  const cache = folderOf();
  const command = ['-r', './tests/support/typescript-require.cjs', 'tools/acceptance/command.ts'];
  const start = (...args: string[]) =>
    startTool([...command, '--requests-per-minute=1000000', ...args], {
      ...{ EDGE_POLICY_BASE_URL: emulator.url, EDGE_POLICY_API_KEY: apiKey, XDG_CACHE_HOME: cache },
    });
  const recorded = () => readdirSync(path.join(cache, 'edge-policy', 'acceptance'));
  const nothing = { rules: [], tcpModules: {}, httpsModules: {} };
  return { emulator, apiKey, start, recorded, nothing };
}

test('npm run acceptance takes all resources through their lives, answers, and leaves nothing behind', async () => {
  const { emulator, apiKey, start, recorded, nothing } = await serviceToAccept();
  const { exitCode, output } = await start('--yes', ...TARGETS).finished;
  expect(exitCode).toBe(0);
  expect(output).toContain('| The same network twice in one policy, with any actions | 400 |');
  expect(output).toContain('| On the CLI: destroy | done |');
  expect(output).not.toContain('FAILED');
  expect(output).not.toContain(apiKey);
  expect(emulator.state()).toMatchObject(nothing);
  expect(emulator.journal.filter(({ status }) => status === 429)).toEqual([]);
  expect(recorded()).toEqual([]);
});

test('interrupted while the CLI creates, it waits for what may still come, and removes it', async () => {
  const { emulator, start, recorded, nothing } = await serviceToAccept();
  const run = start('--yes', ...TARGETS);
  const says = (): true | undefined => run.output.includes('policy creating') || undefined;
  await eventually('policy creating', says, 120_000);
  run.signal('SIGINT');
  run.signal('SIGINT');
  expect((await run.finished).exitCode).toBe(130);
  expect(emulator.state()).toMatchObject(nothing);
  expect(recorded()).toEqual([]);
  expect(await run.processes()).toEqual([]);
});

test('killed, it refuses to begin again until --clean has removed what it had created', async () => {
  const { emulator, start, recorded, nothing } = await serviceToAccept();
  const barrier = emulator.hold({ method: 'PUT', path: '/edges/{a}/{b}/traffic_policy', when: 'after' });
  const killed = start('--yes', ...TARGETS);
  await barrier.reached;
  killed.signal('SIGKILL');
  await killed.finished;
  barrier.release();
  expect(emulator.state()).not.toMatchObject(nothing);

  const again = await start('--yes', ...TARGETS).finished;
  expect(again.exitCode).toBe(1);
  expect(again.output).toContain('remove what it left with --clean');
  expect((await start('--clean').finished).exitCode).toBe(0);
  expect(emulator.state()).toMatchObject(nothing);
  expect(recorded()).toEqual([]);
});

test('without consent, or with a policy that has rules or an edge that has a module, nothing is created', async () => {
  const { emulator, start } = await serviceToAccept();
  const refuses = async (why: string, ...args: string[]): Promise<void> => {
    const { exitCode, output } = await start(...args, ...TARGETS).finished;
    expect([exitCode, output]).toEqual([1, expect.stringContaining(why)]);
  };
  await refuses('agree with --yes');
  emulator.seed({ tcpModules: { [tcpEdgeId]: { enabled: false, value: '{}' } } });
  await refuses(`/edges/tcp/${tcpEdgeId}/traffic_policy is there`, '--yes');
  emulator.seed({ rules: [{ cidr: '10.0.0.0/8', action: 'deny', ip_policy_id: policyId }] });
  await refuses(`${policyId} has rules (1)`, '--yes');
  expect(Object.keys(emulator.counts).every((operation) => operation.startsWith('GET '))).toBe(true);
});
