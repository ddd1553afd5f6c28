import type * as fs from 'node:fs';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { systemClock } from '../../provider/src/api/clock';
import { newest } from '../../review/src/preview/cli-range.json';
import { runCli } from '../../cli/src/run-cli';
import type { CliAnswer, CliContext } from '../../cli/src/command/context';
import { folderOf, writeFiles } from './folder';
import { judgeHere } from './judging';
import type { Service } from './service-stack';
import { writeJson } from './stack-files';
import { checkout, sourcesHook } from './workspace';

/** Output and exit code of a stand-in for the Pulumi CLI, by the beginning of the command; the longest one that fits counts. */
export type PulumiAnswers = Readonly<Record<string, PulumiAnswer>>;

interface PulumiAnswer {
  readonly stdout?: string;
  readonly stderr?: string;
  readonly exitCode?: number;
}

/** What a command printed, and its exit code. */
export class CommandResult {
  constructor(
    readonly exitCode: number,
    readonly stdout: string,
    readonly stderr: string,
  ) {}

  /** What it printed with `--json`. */
  get json(): unknown {
    return JSON.parse(this.stdout) as unknown;
  }
}

const having = (part: string | RegExp): string =>
  (typeof part === 'string' ? expect.stringContaining(part) : expect.stringMatching(part)) as string;

/** How a command ends: its exit code, and a part of what it prints. */
export const printed = (exitCode: number, part: string | RegExp) => ({ exitCode, stdout: having(part) });

/** Its exit code, and a part of what it says beside that. */
export const noted = (exitCode: number, part: string | RegExp) => ({ exitCode, stderr: having(part) });

/** The arguments with which Node runs the command line as it stands in the sources. */
export const FROM_SOURCES = [...sourcesHook, path.join(checkout, 'cli/src/main.ts')];

/** The command line in a folder of its own, without a Pulumi CLI unless a stand-in is put there. */
export class CommandLine {
  readonly folder = folderOf();
  private readonly environment: Record<string, string>;
  private answers: PulumiAnswers | undefined;
  private readonly calls: string[] = [];
  /** What a call of the stand-in brings about. */
  onCall?: (call: string) => void;
  /** The clock, the system's name servers, and a stand-in for the CLI within this process in place of the answers. */
  engine?: Partial<Pick<CliContext, 'pulumi' | 'clock' | 'nameServers' | 'progress'>>;

  constructor(service?: Pick<Service, 'emulator' | 'apiKey'>) {
    this.environment = {
      // Nothing is found but what a test puts there.
      PATH: path.join(this.folder, '.bin'),
      EDGE_POLICY_MAX_ATTEMPTS: '1',
      ...(service && { EDGE_POLICY_API_KEY: service.apiKey, EDGE_POLICY_BASE_URL: service.emulator.url }),
    };
  }

  /** Makes the folder a Pulumi project with a stand-in for the CLI, within this process. */
  withPulumi(answers: PulumiAnswers): this {
    writeJson(path.join(this.folder, 'Pulumi.yaml'), { name: 'project', runtime: 'nodejs' });
    this.answers = answers;
    return this;
  }

  /** The same by a program on the PATH, of which a call that begins so never ends by itself; `calls` has what becomes of it. */
  withLastingCall(at: string): this {
    this.write('Pulumi.yaml', 'name: project\nruntime: nodejs\n');
    this.write('calls', '');
    this.write('.bin/package.json', '{}');
    const program = `(${lastingCall.toString()})(${JSON.stringify([stackHolding(), at])})`;
    this.write('.bin/pulumi', `#!${process.execPath}\n${program}`);
    return this;
  }

  /** The calls of the stand-in so far that begin so, each with its arguments in one line. */
  pulumiCalls(beginning = ''): string[] {
    return this.calls.filter((call) => call.startsWith(beginning));
  }

  private answer(args: readonly string[]): CliAnswer {
    const line = args.join(' ');
    this.calls.push(line);
    this.onCall?.(line);
    const { answers = {} } = this;
    const [key = ''] = Object.keys(answers)
      .filter((beginning) => line.startsWith(beginning))
      .sort((one, other) => other.length - one.length);
    const unexpected: PulumiAnswer = { stderr: `unexpected: ${line}`, exitCode: 1 };
    const { stdout = '', stderr = '', exitCode = 0 } = answers[key] ?? unexpected;
    return { isSuccess: exitCode === 0, stdout, stderr };
  }

  setEnvironment(variable: string, value: string): this {
    this.environment[variable] = value;
    return this;
  }

  /** For a process of its own. */
  get variables(): Readonly<Record<string, string>> {
    return this.environment;
  }

  write(name: string, text: string): void {
    writeFiles(this.folder, { [name]: text });
  }

  read(name: string): string {
    return readFileSync(path.join(this.folder, name), 'utf8');
  }

  async run(...args: string[]): Promise<CommandResult> {
    const output = { stdout: '', stderr: '' };
    const context: CliContext = {
      environment: this.environment,
      workingDirectory: this.folder,
      clock: systemClock,
      ...(this.answers && { pulumi: (given) => Promise.resolve(this.answer(given)) }),
      ...this.engine,
      print: (text) => (output.stdout += text),
      note: (text) => (output.stderr += text),
    };
    const exitCode = await runCli(args, context, judgeHere);
    return new CommandResult(exitCode, output.stdout, output.stderr);
  }
}

/** A CLI that answers, and works at a call that begins so until it gets a SIGINT; runs in a separate process. */
function lastingCall([answers, at]: [PulumiAnswers, string]): void {
  const { appendFileSync } = require('node:fs') as typeof fs;
  const call = process.argv.slice(2).join(' ');
  if (!call.startsWith(at)) {
    const key = Object.keys(answers).find((beginning) => call.startsWith(beginning));
    process.stdout.write(answers[key ?? '']?.stdout ?? '');
    return;
  }
  const isWorking = setInterval(() => undefined, 1_000);
  process.on('SIGINT', () => {
    appendFileSync('calls', 'interrupted ');
    clearInterval(isWorking);
    process.exitCode = 255;
  });
  appendFileSync('calls', 'working ');
}

/** The state of a stack that contains these resources. */
export const exportOf = (
  resources: readonly object[] = [],
  pending_operations: readonly object[] = [],
): PulumiAnswer => {
  const deployment = { manifest: { time: '2030-01-01T00:00:00Z' }, resources, pending_operations };
  return { stdout: JSON.stringify({ version: 3, deployment }) };
};

/** The answers of a CLI with a stack that contains these resources. */
export const stackHolding = (
  resources: readonly object[] = [],
  pending: readonly object[] = [],
): PulumiAnswers => ({
  version: { stdout: `v${newest}\n` },
  config: { stdout: '{}' },
  'stack --show-name': { stdout: 'dev\n' },
  'stack history': { stdout: '[]' },
  'stack ls': { stdout: '[{"name":"dev"}]' },
  preview: { stdout: '{"steps":[]}' },
  'stack export': exportOf(resources, pending),
  'stack import': {},
  import: {},
  refresh: {},
});
