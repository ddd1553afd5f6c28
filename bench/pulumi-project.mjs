import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readRecord } from '../tools/setup/cli-record.mjs';
import { checkout, cliRecordFile } from '../tools/setup/paths.mjs';
import { watchRun } from './watch-run.mjs';

/** How many resources the engine works on at once, and how many requests a client may have under way. */
export const CONCURRENCY = 32;

/**
 * A throw-away Pulumi project on a file backend, driven by the real CLI.
 *
 * @typedef {Pick<import('./start-service.mjs').Service, 'url' | 'apiKey'>} Reached
 * @param {{ program: string, service: Reached, env?: NodeJS.ProcessEnv, isNative?: boolean, files?: Record<string, string> }} options
 *   `files` of a program in another language, which replace those of Node.js.
 */
export const createProject = async ({ program, service, env = {}, isNative = false, files = {} }) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'edge-policy-bench-'));
  const [project, backend, home] = ['project', 'backend', 'home'].map((name) => path.join(folder, name));
  for (const each of [project, backend, home]) mkdirSync(each);
  write(project, 'Pulumi.yaml', `name: bench\nruntime: nodejs\nmain: index.js\n${isNative ? PLUGIN : ''}`);
  write(project, 'package.json', '{ "private": true }\n');
  write(project, 'index.js', program);
  for (const [name, text] of Object.entries(files)) write(project, name, text);
  symlinkSync(path.join(checkout, 'node_modules'), path.join(project, 'node_modules'));
  const runMark = path.basename(folder);
  const environment = environmentOf({ backend, home, service, runMark, env });

  /** Runs one command of the CLI; returns its time and what its processes needed. */
  const run = async (...args) => {
    const watch = watchRun(runMark);
    const startedAt = performance.now();
    const { exitCode, output } = await execute('pulumi', args, { cwd: project, env: environment });
    const wallMs = performance.now() - startedAt;
    const needed = watch.stop();
    if (exitCode !== 0) throw new Error(`pulumi ${args.join(' ')} failed:\n${output.slice(-4000)}`);
    return { wallMs, ...needed };
  };

  await run('stack', 'init', 'bench');
  if (isNative) await run('config', 'set', '--stack=bench', 'edge-policy:host', 'native');
  const operation = (command, ...options) =>
    run(command, '--stack=bench', '--non-interactive', '--color=never', ...options);
  const quiet = ['--yes', '--skip-preview', '--suppress-outputs', '--suppress-progress'];
  return {
    folder: project,
    /** The program reads this as `rules.json`. */
    declare: (rules) => write(project, 'rules.json', JSON.stringify(rules)),
    up: () => operation('up', ...quiet, `--parallel=${CONCURRENCY}`),
    preview: (...options) => operation('preview', `--parallel=${CONCURRENCY}`, ...options),
    refresh: () => operation('refresh', ...quiet, `--parallel=${CONCURRENCY}`),
    destroy: () => operation('destroy', ...quiet, `--parallel=${CONCURRENCY}`),
    stateBytes: () => bytesOfState(path.join(backend, '.pulumi', 'stacks', 'bench', 'bench.json')),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};

/**
 * The size of a state as in a project with packages of its own: stack traces in it name files of the SDK by their path from the
 * project, which here leads through the checkout, wherever that is.
 */
const bytesOfState = (file) =>
  Buffer.byteLength(
    readFileSync(file, 'utf8').replaceAll(
      /project:\/\/\/(?:\.\.\/)+[^"#]*?\/node_modules\//g,
      'project:///node_modules/',
    ),
  );

const pluginFolder = path.join(checkout, 'provider', 'plugin');
const PLUGIN = `plugins:\n  providers:\n    - name: edge-policy\n      path: ${JSON.stringify(pluginFolder)}\n`;

const write = (folder, name, text) => writeFileSync(path.join(folder, name), text);

const environmentOf = ({ backend, home, service, runMark, env }) => {
  const record = readRecord(cliRecordFile);
  if (record === undefined) throw new Error('no Pulumi CLI: run "node tools/setup.mjs"');
  return {
    ...env,
    PATH: [
      ...(env['PATH'] === undefined ? [] : [env['PATH']]),
      path.join(record.root, 'bin'),
      path.dirname(process.execPath),
      process.env['PATH'],
    ].join(path.delimiter),
    HOME: home,
    PULUMI_HOME: home,
    PULUMI_BACKEND_URL: `file://${backend}`,
    PULUMI_CONFIG_PASSPHRASE: 'bench',
    PULUMI_SKIP_UPDATE_CHECK: 'true',
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: 'true',
    EDGE_POLICY_BASE_URL: service.url,
    EDGE_POLICY_API_KEY: service.apiKey,
    EDGE_POLICY_MAX_CONCURRENCY: String(CONCURRENCY),
    EDGE_POLICY_BENCH_RUN: runMark,
  };
};

const execute = (command, args, options) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (chunk) => {
      output = (output + chunk).slice(-100_000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ exitCode, output }));
  });
