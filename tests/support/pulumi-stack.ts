// What for: the tools of the tests: stacks on the real CLI, host processes, services, clocks, scans for secrets.
// Must not know: what any single test proves, or mocks of our own modules.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Host } from '../../provider/src/resources/provider-reference';
import { deferCleanup } from './cleanup';
import type { CliResult } from './cli-result';
import { CliRun } from './cli-run';
import { killRun, processesOfRun, runMarkVariable, type RunningProcess } from './processes';
import { SecretsScan } from './secrets-scan';
import { passphrase, stateFile, writeEmptyStack, writeStackConfig, type ConfigValue } from './stack-files';
import { StackFolder } from './stack-folder';
import type { CallOptions, Program, StackOptions } from './stack-options';
import { parseCheckpoint, parseExport, type StackState } from './stack-state';
import { testedHost } from './tested-host';
import { checkout, cliBin, compileCache, quickNode } from './workspace';
import { spawn } from 'node:child_process';

// A test of the engine suite makes several calls of two seconds each, and machines differ.
jest.setTimeout(300_000);

/**
 * A throw-away Pulumi stack on the real CLI. After every call everything that the run has written is scanned for the planted
 * API key and secret; at the end of the test every process is killed and every file removed.
 */
export class PulumiStack {
  readonly secrets = new SecretsScan();
  /** The API key of the stack, a canary. */
  readonly apiKey: string;
  /** A canary for secret inputs; programs find it in the environment variable CANARY_SECRET. */
  readonly secret = this.secrets.plant('secret');
  readonly folder = new StackFolder();
  private readonly runMark = randomBytes(8).toString('hex');
  private readonly identity: { readonly project: string; readonly stack: string };
  private readonly endWatch = watchOver(this.runMark, this.folder.root);
  private callCount = 0;

  /** The folder of the state backend. */
  get stateFile(): string {
    return stateFile(this.folder.backend, this.identity);
  }

  private constructor(private readonly options: StackOptions) {
    this.apiKey = options.apiKey ?? SecretsScan.makeUp('key');
    this.secrets.watch('key', this.apiKey);
    this.identity = { project: options.project ?? 'harness', stack: options.stack ?? 'dev' };
  }

  static async create(options: StackOptions): Promise<PulumiStack> {
    const stack = new PulumiStack(options);
    deferCleanup(() => stack.dispose(), options.lifetime);
    const { folder, identity } = stack;
    const nodeModules = options.nodeModules ?? path.join(checkout, 'node_modules');
    const ourPlugin = { name: 'edge-policy', path: options.pluginFolder ?? PLUGIN_FOLDER };
    const plugins = stack.host === undefined ? {} : { plugins: { providers: [ourPlugin] } };
    const project = { name: identity.project, ...plugins };
    folder.writeProject(project, options.program, options.install ? undefined : nodeModules);
    await options.install?.(folder.project);
    await stack.setConfig(options.config ?? {});
    if (options.backendUrl === undefined) writeEmptyStack(folder.backend, identity);
    else await stack.call(['stack', 'init']);
    return stack;
  }

  /** The host that serves the resources, if the stack has a plugin to choose. */
  private get host(): Host | undefined {
    return this.options.host ?? (testedHost === 'native' ? testedHost : undefined);
  }

  /** `pulumi up`, without the preview that doubles its time. */
  up(options?: CallOptions): Promise<CliResult> {
    return this.call(['up', '--yes', '--skip-preview'], options);
  }

  preview(options?: CallOptions): Promise<CliResult> {
    return this.call(['preview'], options);
  }

  refresh(options?: CallOptions): Promise<CliResult> {
    return this.call(['refresh', '--yes', '--skip-preview'], options);
  }

  destroy(options?: CallOptions): Promise<CliResult> {
    return this.call(['destroy', '--yes', '--skip-preview'], options);
  }

  /** Removes the lock that a killed run has left behind. */
  cancel(): Promise<CliResult> {
    return this.call(['cancel', '--yes']);
  }

  /** Any other command. */
  async call(args: readonly string[], options: CallOptions = {}): Promise<CliResult> {
    const { expect = 'success' } = options;
    const result = await this.start(args, options).finished;
    this.assertNoSecretWritten(result);
    if (expect !== 'either' && result.isSuccess !== (expect === 'success')) {
      throw new Error(`expected ${expect}: ${result.describe()}`);
    }
    return result;
  }

  /** Starts a command without waiting for its end, for tests that signal it. */
  start(args: readonly string[], options: CallOptions = {}): CliRun {
    const [command = ''] = args;
    const eventLogFile = path.join(this.folder.eventLogs, `${++this.callCount}-${command}.json`);
    return this.begin(
      path.join(cliBin(), 'pulumi'),
      [
        ...args,
        ...(options.args ?? []),
        ...(commandsWithEvents.has(command) ? [`--event-log=${eventLogFile}`] : []),
        ...(options.isVerbose === true ? ['-v=9', '--logtostderr', '--logflow'] : []),
        ...stackArguments(command, this.identity.stack),
        '--non-interactive',
        '--color=never',
      ],
      { env: options.env, eventLogFile },
    );
  }

  /** Another program, which a user of the stack runs in its project. */
  async run(file: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<CliResult> {
    const result = await this.begin(file, args, { env, eventLogFile: '/dev/null' }).finished;
    this.assertNoSecretWritten(result);
    return result;
  }

  private begin(
    file: string,
    args: readonly string[],
    { env, eventLogFile }: { readonly env: NodeJS.ProcessEnv | undefined; readonly eventLogFile: string },
  ): CliRun {
    const cwd = this.folder.project;
    return new CliRun({ file, args, cwd, env: { ...this.environment(), ...env }, eventLogFile });
  }

  /** Fails, with the diff, unless a preview shows that nothing is left to do. */
  async expectEmptyPreview(options: CallOptions = {}): Promise<void> {
    const result = await this.preview({ ...options, args: ['--diff', ...(options.args ?? [])] });
    if (Object.keys(result.changes).length > 0) throw new Error(`a change is left: ${result.describe()}`);
  }

  /** Edits the program for the next call. */
  writeProgram(program: Program): void {
    this.folder.writeProgram(program);
  }

  /** Replaces the stack's configuration, except for the settings that the harness makes. */
  async setConfig(config: Readonly<Record<string, ConfigValue>>): Promise<void> {
    const { baseUrl, settingsIn } = this.options;
    const settings: Record<string, ConfigValue> =
      baseUrl === undefined || settingsIn !== 'config'
        ? {}
        : { 'edge-policy:baseUrl': baseUrl, 'edge-policy:apiKey': { secret: this.apiKey } };
    const host: Record<string, ConfigValue> =
      this.host === undefined ? {} : { 'edge-policy:host': this.host };
    await writeStackConfig(this.folder.project, this.identity.stack, { ...settings, ...host, ...config });
  }

  /** The state as the backend stores it, secrets encrypted. */
  async state(): Promise<StackState> {
    if (this.options.backendUrl === undefined) {
      const text = readFileSync(this.stateFile, 'utf8');
      return parseCheckpoint(text);
    }
    const { stdout } = await this.call(['stack', 'export']);
    return parseExport(stdout);
  }

  /** The return value of the program. */
  async outputs(): Promise<unknown> {
    const [ofStack] = (await this.state()).resources;
    return ofStack?.outputs;
  }

  /** The live processes of the stack: none after its calls have ended. */
  processes(): Promise<RunningProcess[]> {
    return processesOfRun(this.runMark);
  }

  /** Kills all processes that earlier calls have left running. */
  killAll(): Promise<void> {
    return killRun(this.runMark);
  }

  /** Throws if a planted secret is in the output of the call or in any file that was written. */
  assertNoSecretWritten(result?: CliResult): void {
    if (result !== undefined) {
      this.secrets.assertClean('stdout', result.stdout);
      this.secrets.assertClean('stderr', result.stderr);
    }
    for (const place of this.folder.writtenPlaces()) this.secrets.assertPathClean(place);
  }

  private async dispose(): Promise<void> {
    await this.killAll();
    this.folder.remove();
    this.endWatch();
  }

  /** Runs see nothing of the user's own Pulumi, and no setting of the provider. */
  environment(): NodeJS.ProcessEnv {
    const { baseUrl, settingsIn, backendUrl, nodeBin = path.dirname(process.execPath), env } = this.options;
    const isInEnvironment = baseUrl !== undefined && settingsIn !== 'config';
    return {
      PATH: [cliBin(), quickNode, nodeBin, process.env['PATH']].join(path.delimiter),
      EDGE_POLICY_TEST_NODE: path.join(nodeBin, 'node'),
      HOME: this.folder.home,
      TMPDIR: this.folder.temporary,
      LANG: 'C.UTF-8',
      PULUMI_HOME: path.join(this.folder.home, '.pulumi'),
      PULUMI_BACKEND_URL: backendUrl ?? `file://${this.folder.backend}`,
      PULUMI_CONFIG_PASSPHRASE: passphrase,
      PULUMI_SKIP_UPDATE_CHECK: 'true',
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: 'true',
      // Types are checked once for all programs, by `npm run check`.
      PULUMI_NODEJS_TRANSPILE_ONLY: 'true',
      ...compileCache(this.options.install ? 'installed' : 'compiled'),
      // A call ends before it would need a garbage collection.
      GOGC: 'off',
      GOMEMLIMIT: '512MiB',
      EDGE_POLICY_TEST_JAVASCRIPT: String(this.folder.isJavaScript),
      // Makes the CLI accept --event-log.
      PULUMI_DEBUG_COMMANDS: 'true',
      CANARY_SECRET: this.secret,
      [runMarkVariable]: this.runMark,
      ...(isInEnvironment ? { EDGE_POLICY_BASE_URL: baseUrl, EDGE_POLICY_API_KEY: this.apiKey } : {}),
      ...env,
    };
  }
}

const PLUGIN_FOLDER = path.join(checkout, 'provider', 'plugin');

/** How a command is told its stack, if it has one. */
const stackArguments = (command: string, stack: string): string[] => {
  if (['do', 'package', 'plugin', 'schema'].includes(command)) return [];
  return command === 'cancel' ? [stack] : [`--stack=${stack}`];
};

const commandsWithEvents = new Set(['up', 'preview', 'refresh', 'destroy', 'import']);

// Waits for the end of its input, which comes with the end of the parent process in whatever way, and cleans up.
const script = `
  cat > /dev/null
  ps axeww -o pid=,command= | grep " [${runMarkVariable.charAt(0)}]${runMarkVariable.slice(1)}=$RUN_MARK" |
    while read -r pid rest; do kill -9 "$pid"; done
  rm -rf "$RUN_FOLDER"
`;

/**
 * Makes sure that a run's processes are killed and its folder is removed even if the tests themselves are interrupted or
 * killed, as the engine's plugins do not notice the death of their parents. Returns a function that ends the watch.
 */
const watchOver = (runMark: string, folder: string): (() => void) => {
  const reaper = spawn('sh', ['-c', script], {
    env: { PATH: process.env['PATH'], RUN_MARK: runMark, RUN_FOLDER: folder },
    stdio: ['pipe', 'ignore', 'ignore'],
    // In a group of its own, which Ctrl-C does not reach.
    detached: true,
  });
  reaper.unref();
  return () => {
    reaper.stdin.end();
  };
};
