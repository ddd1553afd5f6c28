import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { deferCleanup } from '../support/cleanup';
import { eventually } from '../support/eventually';
import { folderOf } from '../support/folder';
import { httpsEdgeId, policyId, routeId, tcpEdgeId } from '../support/ids';
import { killRun, processesOfRun, runMarkVariable, sendSignal } from '../support/processes';
import { startService } from '../support/service-stack';
import { checkout } from '../support/workspace';

jest.setTimeout(400_000);

const TARGETS = [`--policy=${policyId}`, `--edge=${tcpEdgeId}`, `--route=${httpsEdgeId}/${routeId}`];

/** `npm run acceptance` on an emulator, without its setup. */
async function serviceToAccept() {
  const { emulator, apiKey } = await startService();
  const cache = folderOf();
  const start = (...args: string[]) => {
    const runMark = `acceptance-${process.pid}-${Date.now()}`;
    deferCleanup(() => killRun(runMark));
    const command = ['-r', './tests/support/typescript-require.cjs', 'tools/acceptance/command.ts'];
    const child = spawn(process.execPath, [...command, '--requests-per-minute=1000000', ...args], {
      cwd: checkout,
      env: {
        ...{ ...process.env, [runMarkVariable]: runMark, XDG_CACHE_HOME: cache },
        ...{ EDGE_POLICY_BASE_URL: emulator.url, EDGE_POLICY_API_KEY: apiKey },
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    const exitCode = new Promise((resolve) => child.once('close', resolve));
    const says = (text: string) =>
      eventually(text, () => (output.includes(text) ? true : undefined), 120_000);
    const processes = () => processesOfRun(runMark);
    return { pid: child.pid ?? 0, output: () => output, exitCode, says, processes };
  };
  const recorded = () => readdirSync(path.join(cache, 'edge-policy', 'acceptance'));
  const nothing = { rules: [], tcpModules: {}, httpsModules: {} };
  return { emulator, apiKey, start, recorded, nothing };
}

test('npm run acceptance takes all resources through their lives, answers, and leaves nothing behind', async () => {
  const { emulator, apiKey, start, recorded, nothing } = await serviceToAccept();
  const run = start('--yes', ...TARGETS);
  expect(await run.exitCode).toBe(0);
  const output = run.output();
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
  await run.says('policy creating');
  sendSignal(run.pid, 'SIGINT');
  sendSignal(run.pid, 'SIGINT');
  expect(await run.exitCode).toBe(130);
  expect(emulator.state()).toMatchObject(nothing);
  expect(recorded()).toEqual([]);
  expect(await run.processes()).toEqual([]);
});

test('killed, it refuses to begin again until --clean has removed what it had created', async () => {
  const { emulator, start, recorded, nothing } = await serviceToAccept();
  const barrier = emulator.hold({ method: 'PUT', path: '/edges/{a}/{b}/traffic_policy', when: 'after' });
  const killed = start('--yes', ...TARGETS);
  await barrier.reached;
  sendSignal(killed.pid, 'SIGKILL');
  await killed.exitCode;
  barrier.release();
  expect(emulator.state()).not.toMatchObject(nothing);

  const again = start('--yes', ...TARGETS);
  expect(await again.exitCode).toBe(1);
  expect(again.output()).toContain('remove what it left with --clean');
  const clean = start('--clean');
  expect(await clean.exitCode).toBe(0);
  expect(emulator.state()).toMatchObject(nothing);
  expect(recorded()).toEqual([]);
});

test('without consent, or with a policy that has rules or an edge that has a module, nothing is created', async () => {
  const { emulator, start } = await serviceToAccept();
  const unasked = start(...TARGETS);
  expect(await unasked.exitCode).toBe(1);
  expect(unasked.output()).toContain('agree with --yes');
  emulator.seed({ tcpModules: { [tcpEdgeId]: { enabled: false, value: '{}' } } });
  const onModule = start('--yes', ...TARGETS);
  expect(await onModule.exitCode).toBe(1);
  expect(onModule.output()).toContain(`/edges/tcp/${tcpEdgeId}/traffic_policy is there`);
  emulator.seed({ rules: [{ cidr: '10.0.0.0/8', action: 'deny', ip_policy_id: policyId }] });
  const onRules = start('--yes', ...TARGETS);
  expect(await onRules.exitCode).toBe(1);
  expect(onRules.output()).toContain(`${policyId} has rules (1)`);
  expect(Object.keys(emulator.counts).every((operation) => operation.startsWith('GET '))).toBe(true);
});
