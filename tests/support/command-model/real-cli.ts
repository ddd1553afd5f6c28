import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Emulator, HoldHandle } from '../../../emulator/src/index';
import { systemClock } from '../../../provider/src/api/clock';
import { parseDeployment, type StateResource } from '../../../cli/src/pulumi/deployment';
import type { PlannedStep } from '../../../cli/src/pulumi/preview';
import { runCli } from '../../../cli/src/run-cli';
import type { CliRun } from '../cli-run';
import type { CommandResult } from '../command-line';
import { eventually } from '../eventually';
import type { PulumiStack } from '../pulumi-stack';
import { stateFile } from '../stack-files';
import type { Declared, Kill, ModelCli } from './model-cli';
import { programText } from './program-text';
import type { ModelLine } from './world';

const WRITES = ['POST', 'PATCH', 'PUT', 'DELETE'];

/** The real Pulumi CLI as the model drives it, with its state in files. */
export class RealCli implements ModelCli, ModelLine {
  program: Declared[] = [];

  constructor(
    private readonly stack: PulumiStack,
    private readonly emulator: Emulator,
  ) {}

  get folder(): string {
    return this.stack.folder.project;
  }

  get resources(): readonly StateResource[] {
    return this.deployment().resources;
  }

  get pending(): readonly object[] {
    return this.deployment().pendingOperations;
  }

  get isLocked(): boolean {
    const locks = path.join(this.stack.folder.backend, '.pulumi', 'locks');
    return (
      existsSync(locks) &&
      readdirSync(locks, { recursive: true }).some((name) => String(name).endsWith('.json'))
    );
  }

  async unlock(): Promise<void> {
    if (this.isLocked) await this.stack.cancel();
  }

  saveProgram(): void {
    this.stack.writeProgram({ ts: programText(this.program) });
  }

  async up(kill?: Kill): Promise<boolean> {
    if (kill !== undefined) return this.upKilled(kill);
    return (await this.stack.up({ expect: 'either' })).isSuccess;
  }

  async preview(): Promise<readonly PlannedStep[]> {
    const { json } = await this.stack.call(['preview', '--json'], { expect: 'either' });
    return (json as { steps?: readonly PlannedStep[] }).steps ?? [];
  }

  /** A documented command, in this process, with the CLI and the settings of the stack. */
  async run(...args: string[]): Promise<CommandResult> {
    const output = { stdout: '', stderr: '' };
    const exitCode = await runCli([...args, '--stack', 'dev'], {
      environment: this.stack.environment(),
      workingDirectory: this.folder,
      clock: systemClock,
      print: (text) => (output.stdout += text),
      note: (text) => (output.stderr += text),
    });
    return { exitCode, ...output };
  }

  private deployment() {
    const file = stateFile(this.stack.folder.backend, { project: 'project', stack: 'dev' });
    const { checkpoint } = JSON.parse(readFileSync(file, 'utf8')) as { checkpoint: { latest?: object } };
    return parseDeployment(JSON.stringify({ deployment: checkpoint.latest ?? null }));
  }

  /** Lets a number of waves of requests through, and kills CLI and plugins while the next one is held. */
  private async upKilled({ atStep, hasEffect }: Kill): Promise<boolean> {
    const run = this.stack.start(['up', '--yes', '--skip-preview']);
    let holds: readonly HoldHandle[] = [];
    for (let step = 1; step <= atStep; step += 1) {
      for (const hold of holds) hold.release();
      holds = WRITES.map((method) => this.emulator.hold({ method, when: hasEffect ? 'after' : 'before' }));
      if (await endsFirst(run, holds)) break;
    }
    run.signal('SIGKILL');
    await run.killPlugins();
    for (const hold of holds) hold.drop();
    const { isSuccess } = await run.finished;
    await this.stack.killAll();
    return isSuccess;
  }
}

/** Waits until a request waits at a barrier, or the run has ended without one. */
const endsFirst = async (run: CliRun, holds: readonly HoldHandle[]): Promise<boolean> => {
  let hasEnded = false;
  void run.finished.finally(() => (hasEnded = true));
  return eventually(
    'a request stands at the barrier, or the run has ended',
    () => (hasEnded ? true : holds.some(({ waiting }) => waiting > 0) ? false : undefined),
    120_000,
  );
};
