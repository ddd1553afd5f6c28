import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deferCleanup } from '../support/cleanup';
import { eventually } from '../support/eventually';
import { killRun, processesOfRun, runMarkVariable, sendSignal } from '../support/processes';
import { checkout } from '../support/workspace';

jest.setTimeout(300_000);

interface Demo {
  readonly pid: number;
  readonly output: () => string;
  readonly exitCode: Promise<number | null>;
  readonly processes: () => ReturnType<typeof processesOfRun>;
}

const startDemo = (args: readonly string[] = [], variables: NodeJS.ProcessEnv = {}): Demo => {
  const runMark = `demo-${process.pid}-${Date.now()}`;
  deferCleanup(() => killRun(runMark));
  const child = spawn(process.execPath, [path.join(checkout, 'tools', 'demo.mjs'), ...args], {
    env: { ...process.env, ...variables, [runMarkVariable]: runMark },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  return {
    pid: child.pid ?? 0,
    output: () => text,
    exitCode: new Promise((resolve) => child.once('close', resolve)),
    processes: () => processesOfRun(runMark),
  };
};

const projectFolder = (output: string): string => /(\/\S+edge-policy-demo-\w+)/.exec(output)?.[1] ?? '';

test('npm start deploys the quickstart, previews an edit, reviews it, shows what is live, and leaves nothing behind', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'demo-'));
  deferCleanup(() => {
    rmSync(folder, { recursive: true });
  });
  const demo = startDemo([], { TMPDIR: folder });
  expect(await demo.exitCode).toBe(0);
  const output = demo.output();
  expect(output).toContain('+ 4 created');
  expect(output).toContain('"203.0.113.0/24" => "0.0.0.0/0"');
  expect(output).toContain('CRITICAL Every IPv4 address can get in, by allow rule "0.0.0.0/0".');
  expect(output).toMatch(/What is live[^]*: allow 203\.0\.113\.0\/24\n/);
  expect(output).not.toContain('warning');
  expect(output.split('\n').filter((line) => line !== '').length).toBeLessThan(45);
  expect(await demo.processes()).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
});

test('npm start -- --keep leaves the emulator and a stack, and says how to remove them', async () => {
  const demo = startDemo(['--keep']);
  expect(await demo.exitCode).toBe(0);
  const folder = projectFolder(demo.output());
  deferCleanup(() => {
    rmSync(folder, { recursive: true });
  });
  expect(existsSync(path.join(folder, 'project', 'index.ts'))).toBe(true);
  const [emulator] = await demo.processes();
  expect(demo.output()).toContain(`kill ${emulator?.pid} && rm -r ${folder}`);
  const baseUrl = /EDGE_POLICY_BASE_URL="(.*)"/.exec(demo.output())?.[1] ?? '';
  expect((await fetch(`${baseUrl}/healthz`)).status).toBe(200);
});

test('npm start that is interrupted ends the Pulumi run and the emulator', async () => {
  const demo = startDemo();
  await eventually('deployment begun', () => (demo.output().includes('Updating') ? true : undefined));
  sendSignal(demo.pid, 'SIGINT');
  expect(await demo.exitCode).not.toBe(0);
  expect(await demo.processes()).toEqual([]);
});
