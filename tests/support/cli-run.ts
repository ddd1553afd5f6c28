import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { deferCleanup } from './cleanup';
import { CliResult } from './cli-result';
import { killRun, processesOfRun, runMarkVariable, sendSignal, type RunningProcess } from './processes';
import { checkout } from './workspace';

/** A line of a page may install packages. */
const CALL_TIMEOUT_MS = 240_000;
const PIPE_GRACE_MS = 2_000;

interface CliCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly eventLogFile: string;
}

/** A running command, mostly of the CLI: tests can signal it, or its plugin, and wait for its end. */
export class CliRun {
  /** Resolves however the call ends; rejects only if it had to be killed for taking too long. */
  readonly finished: Promise<CliResult>;
  private readonly child: ChildProcess;
  private readonly printed = { stdout: '', stderr: '' };
  private readonly runMark: string;

  constructor(command: CliCommand) {
    const { file, args, cwd, env } = command;
    this.runMark = env[runMarkVariable] ?? '';
    // In a process group of its own, as in a terminal: signals to the tests do not reach it, and vice versa.
    this.child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    this.finished = this.collect(command);
    // A test that kills the run may never look at its result.
    this.finished.catch(() => undefined);
  }

  /** What it has printed so far. */
  get output(): string {
    return this.printed.stdout + this.printed.stderr;
  }

  /** Sends a signal to the CLI process alone. */
  signal(signal: NodeJS.Signals): void {
    if (this.child.pid !== undefined) sendSignal(this.child.pid, signal);
  }

  /** What Ctrl-C in a terminal does: SIGINT to the CLI's process group. The engine's plugins are in other groups. */
  interrupt(): void {
    if (this.child.pid !== undefined) sendSignal(-this.child.pid, 'SIGINT');
  }

  /** The live processes of this stack, orphans of earlier calls included. */
  processes(): Promise<RunningProcess[]> {
    return processesOfRun(this.runMark);
  }

  /** The Node processes that serve our resources, without the shells that started them. */
  async pluginProcesses(): Promise<RunningProcess[]> {
    const processes = await this.processes();
    return processes.filter(({ command }) =>
      /^\S*node \S*(dynamic-provider|pulumi-resource-edge-policy)/.test(command),
    );
  }

  /** Kills the processes that serve our resources, as the kernel does when memory runs out. */
  async killPlugins(): Promise<void> {
    for (const { pid } of await this.pluginProcesses()) sendSignal(pid, 'SIGKILL');
  }

  private async collect(command: CliCommand): Promise<CliResult> {
    const startedAt = Date.now();
    const { printed } = this;
    for (const name of ['stdout', 'stderr'] as const) {
      this.child[name]?.setEncoding('utf8').on('data', (text: string) => {
        printed[name] += text;
      });
    }
    const timeLimit = AbortSignal.timeout(CALL_TIMEOUT_MS);
    const killAll = (): void => void killRun(this.runMark);
    timeLimit.addEventListener('abort', killAll);
    const [exitCode, signal] = await this.ending();
    timeLimit.removeEventListener('abort', killAll);

    const durationMs = Date.now() - startedAt;
    const commandLine = `pulumi ${command.args.join(' ')}`;
    const result = new CliResult(
      { commandLine, exitCode, signal, durationMs, ...printed },
      command.eventLogFile,
    );
    if (timeLimit.aborted) throw new Error(`killed for taking too long: ${result.describe()}`);
    return result;
  }

  private ending(): Promise<[exitCode: number | null, signal: NodeJS.Signals | null]> {
    return new Promise((resolve, reject) => {
      this.child.once('error', reject);
      this.child.once('close', (...ending) => {
        resolve(ending);
      });
      // A process that outlives the CLI may keep its pipes open, and they would then never close.
      this.child.once('exit', (...ending) => {
        setTimeout(resolve, PIPE_GRACE_MS, ending).unref();
      });
    });
  }
}

/** Starts a tool of the repository, whose processes end with the test. */
export function startTool(args: readonly string[], variables: NodeJS.ProcessEnv): CliRun {
  const runMark = randomBytes(8).toString('hex');
  deferCleanup(() => killRun(runMark));
  const env = { ...process.env, ...variables, [runMarkVariable]: runMark };
  return new CliRun({ file: process.execPath, args, cwd: checkout, env, eventLogFile: '/dev/null' });
}
