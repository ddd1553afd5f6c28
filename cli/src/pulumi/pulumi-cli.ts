// What for: the Pulumi CLI and what it prints: versions, stacks, deployments, previews.
// Must not know: `import`, `recover` and every other command.
import { spawn, type ChildProcess } from 'node:child_process';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { isVersionAtLeast, TESTED_CLIS } from 'pulumi-edge-policy-review';
import { type CliAnswer, type CliContext, EXIT, type ExitCode } from '../command/context';

/** No notice about updates, and JSON as one document instead of a stream of events. */
const QUIET = { PULUMI_SKIP_UPDATE_CHECK: 'true', PULUMI_ENABLE_STREAMING_JSON_PREVIEW: 'false' };

/** The Pulumi CLI on PATH, called for one project folder and one stack. */
export class PulumiCli {
  constructor(
    private readonly context: Pick<CliContext, 'environment' | 'pulumi'>,
    readonly folder: string,
    /** The stack to work on; the selected one if not given. */
    readonly stackName?: string,
  ) {}

  /** Runs a command that is about the stack. @throws UserError in our words if the CLI or the stack is missing, else in the CLI's. */
  async stackCommand(args: readonly string[], input?: string): Promise<string> {
    const answer = await this.runOnStack(args, input);
    if (!answer.isSuccess) throw failureOf(args, answer, this.folder);
    return answer.stdout;
  }

  /** The stacks of the project; undefined if the CLI does not list them. */
  async stacks(): Promise<readonly ListedStack[] | undefined> {
    const { isSuccess, stdout } = await this.run(['stack', 'ls', '--json']);
    return isSuccess ? (JSON.parse(stdout) as ListedStack[]) : undefined;
  }

  /** Runs a command that is about the stack, and returns its result. */
  runOnStack(args: readonly string[], input?: string): Promise<CliAnswer> {
    const stack = this.stackName === undefined ? [] : ['--stack', this.stackName];
    return this.run([...args, ...stack], input);
  }

  /** Runs any command and returns its result; throws a UserError only if there is no CLI. */
  async run(args: readonly string[], input?: string): Promise<CliAnswer> {
    requireUninterrupted();
    const { pulumi } = this.context;
    if (pulumi !== undefined) return pulumi(args, input);
    const answer = await this.spawned(args, input);
    if (!answer.isSuccess || !isWriting(args)) requireUninterrupted();
    return answer;
  }

  private spawned(args: readonly string[], input?: string): Promise<CliAnswer> {
    return new Promise((resolve, reject) => {
      const child = spawn('pulumi', [...args, '--non-interactive', '--color', 'never'], {
        cwd: this.folder,
        env: { ...this.context.environment, ...QUIET },
        stdio: 'pipe',
        detached: process.platform !== 'win32',
      });
      shieldFromInterrupts(child, isWriting(args));
      const output = { stdout: '', stderr: '' };
      child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
      // A CLI that ends without reading its input is known by its exit code.
      child.stdin.on('error', () => undefined).end(input ?? '');
      child.on('error', (error) => {
        reject(cannotStart(error, this.folder));
      });
      child.on('close', (exitCode) => {
        resolve({ isSuccess: exitCode === 0, ...output });
      });
    });
  }
}

interface ListedStack {
  readonly name: string;
  readonly current?: boolean;
  readonly url?: string;
}

/** A stack by its last name: the CLI leaves the organization away if it is the user's own. */
export const shortName = (name: string): string => name.slice(name.lastIndexOf('/') + 1);

/** Whether a command writes the state: it is not ended midway. */
const isWriting = ([first, second]: readonly string[]): boolean =>
  first === 'import' || first === 'refresh' || (first === 'stack' && second === 'import');

/** Whether there is no stack to compare with: no CLI, or none selected. Any other failure may hide one. */
export class NoStackError extends UserError {}

const cannotStart = (error: NodeJS.ErrnoException, folder: string): UserError =>
  error.code === 'ENOENT'
    ? new NoStackError(
        `The Pulumi CLI cannot be started in ${folder}: it must be on PATH, and the folder must exist ` +
          `(https://www.pulumi.com/docs/install/).`,
      )
    : new UserError(`The Pulumi CLI cannot be started: ${error.message}`);

function failureOf(args: readonly string[], answer: CliAnswer, folder: string): UserError {
  const said = (answer.stderr.trim() || answer.stdout.trim()).slice(-4_000);
  return /no stack selected/i.test(said)
    ? new NoStackError(
        `No stack is selected in ${folder}: run "pulumi stack select NAME", or pass --stack NAME.`,
      )
    : new UserError(`"pulumi ${args.slice(0, 2).join(' ')}" failed:\n${said.replace(/^/gm, '  ')}`);
}

/** The version of the CLI on PATH, as `3.259.0`. */
export async function cliVersion(cli: PulumiCli): Promise<string> {
  const { stdout, stderr } = await cli.run(['version']);
  const version = /\d+\.\d+\.\d+\S*/.exec(stdout)?.[0];
  if (version === undefined)
    throw new UserError(`"pulumi version" printed no version: ${stderr.trim().slice(0, 200)}`);
  return version;
}

/** @throws UserError that names the required version, if the CLI is older. */
export async function requireImportingCli(cli: PulumiCli): Promise<void> {
  const version = await cliVersion(cli);
  if (isVersionAtLeast(version, TESTED_CLIS.oldest)) return;
  throw new UserError(
    `Pulumi CLI ${version} cannot import these resources: ${TESTED_CLIS.oldest} or newer is needed, as older ones ask ` +
      `the provider to read, which fails for every dynamic resource (pulumi/pulumi#3550). Update the CLI and repeat.`,
  );
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** The first signal to end the command that came while a CLI was at work: nothing new is begun after that. */
let interruptedBy: (typeof SIGNALS)[number] | undefined;

/** The user has ended the command. It is no `UserError`: no command goes on without the answer, and none calls it a problem. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';

  constructor(readonly exitCode: ExitCode) {
    super('Interrupted.');
  }
}

/** @throws InterruptedError after a signal. */
function requireUninterrupted(): void {
  if (interruptedBy !== undefined)
    throw new InterruptedError(interruptedBy === 'SIGINT' ? EXIT.interrupted : EXIT.terminated);
}

/**
 * After a signal, a CLI that only reads is ended. One that writes ends in its own way: it releases its lock and writes what it has
 * done; only the second signal is passed on, which makes it give up. It has a process group of its own, so Ctrl-C reaches it no
 * other way.
 */
function shieldFromInterrupts(cli: ChildProcess, isWriting: boolean): void {
  const note = (signal: (typeof SIGNALS)[number]): void => {
    if (!isWriting || interruptedBy !== undefined) cli.kill('SIGINT');
    interruptedBy ??= signal;
  };
  for (const signal of SIGNALS) process.on(signal, note);
  cli.once('close', () => {
    for (const signal of SIGNALS) process.off(signal, note);
  });
}
