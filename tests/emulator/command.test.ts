import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { folderOf } from '../support/folder';
import { listen } from '../support/listening';
import { callEmulator } from './support/service';

/** The compiled command, as users run it; the setup step of the test command builds it. */
const main = join(__dirname, '../../emulator/bin/edge-policy-emulator.js');

/** Starts the command and waits for the line that it prints when it is ready. */
async function startCommand(args: readonly string[]) {
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const exit = once(child, 'close') as Promise<[number | null]>;
  const ended = exit.then(([code]) => Promise.reject(new Error(`the command ended with code ${code}`)));
  const ready = once(createInterface(child.stdout), 'line') as Promise<[string]>;
  const [line] = await Promise.race([ready, ended]);
  return {
    line,
    url: /https?:\S+/.exec(line)?.[0] ?? '',
    /** What it has said on standard error. */
    said: () => said,
    /** Sends the signal, waits for the end and returns the exit code, null after a kill. */
    end: async (signal: NodeJS.Signals) => {
      child.kill(signal);
      return (await exit)[0];
    },
  };
}

/** Runs the command to its end: its exit code, and what it has said on standard error. */
const runCommand = (args: readonly string[]): Promise<unknown> =>
  new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], (error, _stdout, stderr) => {
      resolve([error?.code, stderr]);
    });
  });

const list = { method: 'GET', path: '/ip_policy_rules' };

test.each(['SIGINT', 'SIGTERM'] as const)(
  'ends with code 0 on %s, unanswered requests or not',
  async (signal) => {
    const emulator = await startCommand(['--port', '0', '--control']);
    const fault = { kind: 'timeout' };
    await callEmulator(emulator.url, { method: 'POST', path: '/__emulator/faults', body: fault });
    const unanswered = callEmulator(emulator.url, list).catch(() => 'ended');
    for (let requests: unknown[] = []; requests.length === 0;) {
      const journal = await callEmulator(emulator.url, { method: 'GET', path: '/__emulator/journal' });
      requests = journal.json() as unknown[];
    }
    expect(await emulator.end(signal)).toBe(0);
    expect(await unanswered).toBe('ended');
  },
);

const OPEN =
  'warning: the control plane needs no key, and everyone who can reach 0.0.0.0 can read and change everything\n';

test.each([
  ['127.0.0.1', ''],
  ['0.0.0.0', OPEN],
])('a control plane on %s: what is said on standard error', async (host, warning) => {
  const emulator = await startCommand(['--port', '0', '--host', host, '--control']);
  await emulator.end('SIGTERM');
  expect(emulator.said()).toBe(warning);
});

test.each(['--api-key one --api-key key=2', '--account a=one --account b=key=2'])(
  'prints one line with its URL, and takes %s, version header, base path and switches',
  async (keys) => {
    const options = `--port 0 --version-header Other-Version --base-path /api --switch missingRule=empty ${keys}`;
    const emulator = await startCommand(options.split(' '));
    expect(emulator.line).toBe(`edge-policy-emulator listens on ${emulator.url}`);
    expect(emulator.url).toMatch(/\/api$/);
    for (const [key, status] of [
      ['one', 404],
      ['key=2', 404],
      ['test-key', 401],
    ] as const) {
      const headers = { Authorization: `Bearer ${key}`, 'Other-Version': '2', 'Service-Version': undefined };
      const request = { method: 'GET', path: '/ip_policy_rules/ipr_none', more: { headers } };
      expect((await callEmulator(emulator.url, request)).status).toBe(status);
    }
    await emulator.end('SIGTERM');
  },
);

test('--data keeps the state for the next run: written at the end, and when the control plane asks', async () => {
  const data = ['--port', '0', '--control', '--data', join(folderOf(), 'data.json')];
  const body = { cidr: '10.0.0.0/8', ip_policy_id: 'ipp_1', action: 'deny' };
  const first = await startCommand(data);
  const made = await callEmulator(first.url, { method: 'POST', path: '/ip_policy_rules', body });
  await first.end('SIGTERM');
  const { id } = made.json() as { id: string };
  const own = { method: 'DELETE', path: `/ip_policy_rules/${id}` };
  const second = await startCommand(data);
  expect((await callEmulator(second.url, own)).status).toBe(204);
  const save = { method: 'POST', path: '/__emulator/save' };
  expect((await callEmulator(second.url, save)).status).toBe(204);
  await second.end('SIGKILL');
  const third = await startCommand(data);
  expect((await callEmulator(third.url, own)).status).toBe(404);
  await third.end('SIGTERM');
});

test.each([
  [['--switch', 'surprise=1'], /unknown switch surprise/],
  [['--switch', 'duplicateCidr=no'], /is not one of 400, accepted, 409/],
  [['--port', '70000'], /A port is a number/],
  [['--account', 'nameless'], /NAME=KEY/],
])('refuses %j with code 1 and says why', async (args, reason) => {
  expect(await runCommand(args)).toEqual([1, expect.stringMatching(reason)]);
});

test('a port in use ends it with code 1 and the reason', async () => {
  const { port } = await listen(createServer());
  expect(await runCommand(['--port', String(port)])).toEqual([1, expect.stringMatching(/EADDRINUSE/)]);
});
