import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { start, type AccountState, type Emulator } from '../../emulator/src/index';
import { runCommand, startCommand } from './support/command';
import { callEmulator } from './support/service';

let folder: string;
let dataFile: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'emulator-data-'));
  dataFile = join(folder, 'data.jsonl');
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const rule = (cidr: string) => ({ cidr, ip_policy_id: 'ipp_1', action: 'deny' as const });

/** Uses an emulator on the file and returns what it held at the end, without the address that changes. */
async function session(use: (emulator: Emulator) => void = () => undefined): Promise<AccountState> {
  const emulator = await start({ dataFile });
  use(emulator);
  const state = JSON.stringify(emulator.state()).replaceAll(emulator.url, '');
  await emulator.close();
  return JSON.parse(state) as AccountState;
}

function fill(emulator: Emulator): void {
  emulator.seed({
    policies: ['ipp_1'],
    tcpEdges: ['edgtcp_1'],
    routes: ['edghts_1/edghtsrt_1'],
    rules: [rule('10.0.0.0/8'), { ...rule('11.0.0.0/8'), description: 'é', metadata: '{"a":1}' }],
    tcpModules: { edgtcp_1: { enabled: true, value: '{}' }, edgtcp_2: { enabled: true, value: '{}' } },
    httpsModules: { 'edghts_1/edghtsrt_1': { enabled: true, allow: ['a'], deny: [] } },
  });
  emulator.remote.modules('tcpModules').delete('edgtcp_2');
  const third = emulator.remote.createRule(rule('12.0.0.0/8'));
  emulator.remote.deleteRule(third.id);
}

test('everything is there again after a restart, and after another one', async () => {
  const before = await session(fill);
  expect(before.rules).toHaveLength(2);
  expect(await session()).toEqual(before);
  expect(await session()).toEqual(before);
});

test('the file is compacted at the start: one line for each thing that exists', async () => {
  await session((emulator) => {
    const { id } = emulator.remote.createRule(rule('10.0.0.0/8'));
    for (let index = 0; index < 50; index += 1)
      emulator.remote.updateRule(id, { description: String(index) });
  });
  expect(readFileSync(dataFile, 'utf8').trim().split('\n')).toHaveLength(51);
  await session();
  expect(readFileSync(dataFile, 'utf8').trim().split('\n')).toHaveLength(1);
});

test('a torn last line is left out, and the file is whole again', async () => {
  const before = await session(fill);
  appendFileSync(dataFile, '{"account":"default","change":{"op":"delete-rule","id":"ipr_');
  expect(await session()).toEqual(before);
  expect(await session()).toEqual(before);
});

test('a complete line without its line feed is a torn one: nobody got an answer for it', async () => {
  const before = await session(fill);
  const id = before.rules[0]?.id ?? '';
  appendFileSync(dataFile, JSON.stringify({ account: 'default', change: { op: 'delete-rule', id } }));
  expect(await session()).toEqual(before);
});

test('a line in the middle that is no record stops the start, and names the line', async () => {
  writeFileSync(dataFile, '{"account":"default","change":{"op":"delete-rule","id":"x"}}\nnonsense\n');
  await expect(start({ dataFile })).rejects.toThrow(/line 2 is not a record/);
  expect(existsSync(`${dataFile}.lock`)).toBe(false);
});

test('a second process is kept off the file, and the first loses nothing by it', async () => {
  const first = await startCommand(['--port', '0', '--data', dataFile]);
  const second = await runCommand(['--port', '0', '--data', dataFile]);
  expect([second.code, second.stderr]).toEqual([1, expect.stringMatching(/in use by process \d+/)]);
  const body = rule('10.0.0.0/8');
  await callEmulator(first.url, { method: 'POST', path: '/ip_policy_rules', body });
  await first.end('SIGKILL');
  expect((await session()).rules).toHaveLength(1);
});

test('a lock left behind is taken over: by a process that has gone, or of our own number', async () => {
  const gone = await startCommand(['--port', '0', '--data', dataFile]);
  await gone.end('SIGKILL');
  expect(readFileSync(`${dataFile}.lock`, 'utf8')).toMatch(/^\d+$/);
  await session();
  writeFileSync(`${dataFile}.lock`, String(process.pid));
  await session();
  expect(existsSync(`${dataFile}.lock`)).toBe(false);
});

test('a start that fails frees the file again', async () => {
  const other = await start();
  await expect(start({ dataFile, port: Number(new URL(other.url).port) })).rejects.toThrow(/EADDRINUSE/);
  await other.close();
  expect(existsSync(`${dataFile}.lock`)).toBe(false);
});

test('a reset empties the file too', async () => {
  await session((emulator) => {
    fill(emulator);
    emulator.reset();
  });
  expect(readFileSync(dataFile, 'utf8')).toBe('');
});

test('creation goes on behind the rules of the file: a new rule is the newest', async () => {
  await session(fill);
  const state = await session((emulator) => emulator.remote.createRule(rule('13.0.0.0/8')));
  expect(state.rules.map(({ cidr }) => cidr)).toEqual(['10.0.0.0/8', '11.0.0.0/8', '13.0.0.0/8']);
});
