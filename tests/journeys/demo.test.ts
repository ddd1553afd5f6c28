import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { deferCleanup } from '../support/cleanup';
import { type CliRun, startTool } from '../support/cli-run';
import { eventually } from '../support/eventually';
import { folderOf } from '../support/folder';

jest.setTimeout(300_000);

const startDemo = (args: readonly string[] = [], variables: NodeJS.ProcessEnv = {}): CliRun =>
  startTool(['tools/demo.mjs', ...args], variables);

const projectFolder = (output: string): string => /(\/\S+edge-policy-demo-\w+)/.exec(output)?.[1] ?? '';

test('npm start deploys the quickstart, previews an edit, reviews it, shows what is live, and leaves nothing behind', async () => {
  const folder = folderOf();
  const demo = startDemo([], { TMPDIR: folder });
  const { exitCode, output } = await demo.finished;
  expect(exitCode).toBe(0);
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
  expect((await demo.finished).exitCode).toBe(0);
  const folder = projectFolder(demo.output);
  deferCleanup(() => {
    rmSync(folder, { recursive: true });
  });
  expect(existsSync(path.join(folder, 'project', 'index.ts'))).toBe(true);
  const [emulator] = await demo.processes();
  expect(demo.output).toContain(`kill ${emulator?.pid} && rm -r ${folder}`);
  const baseUrl = /EDGE_POLICY_BASE_URL="(.*)"/.exec(demo.output)?.[1] ?? '';
  expect((await fetch(`${baseUrl}/healthz`)).status).toBe(200);
});

test('npm start that is interrupted ends the Pulumi run and the emulator', async () => {
  const demo = startDemo();
  await eventually('deployment begun', () => (demo.output.includes('Updating') ? true : undefined));
  demo.signal('SIGINT');
  expect((await demo.finished).exitCode).not.toBe(0);
  expect(await demo.processes()).toEqual([]);
});
