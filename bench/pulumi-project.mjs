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
 * @param {{ program: string, service: import('./variants.mjs').Service }} options
 */
export const createProject = async ({ program, service }) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'edge-policy-bench-'));
  const [project, backend, home] = ['project', 'backend', 'home'].map((name) => path.join(folder, name));
  for (const each of [project, backend, home]) mkdirSync(each);
  write(project, 'Pulumi.yaml', 'name: bench\nruntime: nodejs\nmain: index.js\n');
  write(project, 'package.json', '{ "private": true }\n');
  write(project, 'index.js', program);
  symlinkSync(path.join(checkout, 'node_modules'), path.join(project, 'node_modules'));
  const runMark = path.basename(folder);
  const environment = environmentOf({ backend, home, service, runMark });

  /** Runs one command of the CLI; returns its time and the memory that its plugin needed. */
  const run = async (...args) => {
    const watch = watchRun(runMark);
    const startedAt = performance.now();
    const { exitCode, output } = await execute('pulumi', args, { cwd: project, env: environment });
    const wallMs = performance.now() - startedAt;
    const peakMemoryBytes = watch.stop();
    if (exitCode !== 0) throw new Error(`pulumi ${args.join(' ')} failed:\n${output.slice(-4000)}`);
    return { wallMs, peakMemoryBytes };
  };

  await run('stack', 'init', 'bench');
  const operation = (command, ...options) =>
    run(command, '--stack=bench', '--non-interactive', '--color=never', ...options);
  const quiet = ['--yes', '--skip-preview', '--suppress-outputs', '--suppress-progress'];
  return {
    /** The program reads this as `rules.json`. */
    declare: (rules) => write(project, 'rules.json', JSON.stringify(rules)),
    up: () => operation('up', ...quiet, `--parallel=${CONCURRENCY}`),
    preview: () => operation('preview', `--parallel=${CONCURRENCY}`),
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

const write = (folder, name, text) => writeFileSync(path.join(folder, name), text);

const environmentOf = ({ backend, home, service, runMark }) => {
  const record = readRecord(cliRecordFile);
  if (record === undefined) throw new Error('no Pulumi CLI: run "node tools/setup.mjs"');
  return {
    PATH: [path.join(record.root, 'bin'), path.dirname(process.execPath), process.env['PATH']].join(
      path.delimiter,
    ),
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
