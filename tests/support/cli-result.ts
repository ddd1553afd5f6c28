import { existsSync, readFileSync } from 'node:fs';

interface FinishedCall {
  readonly commandLine: string;
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
}

/** The result of a call of the CLI, with all its output. */
export class CliResult {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly events: readonly EngineEvent[];

  constructor(
    private readonly call: FinishedCall,
    eventLogFile: string,
  ) {
    ({ exitCode: this.exitCode, signal: this.signal, stdout: this.stdout, stderr: this.stderr } = call);
    this.events = readEvents(eventLogFile);
  }

  get isSuccess(): boolean {
    return this.exitCode === 0;
  }

  /** Everything the user sees. */
  get output(): string {
    return `${this.stdout}\n${this.stderr}`;
  }

  /** The engine's steps on our resources as they begin, in order, unchanged ones included. */
  get steps(): StepMetadata[] {
    return this.events.flatMap(({ resourcePreEvent }) => ownStep(resourcePreEvent));
  }

  /**
   * How many of our resources each kind of change has affected (in a preview: would affect), such as `{ create: 2, replace: 1
   * }`; empty if nothing changes. A replacement is one change, as in the CLI's own summary; a failed step does not count.
   */
  get changes(): Record<string, number> {
    const changes: Record<string, number> = {};
    for (const { op } of this.events.flatMap(({ resOutputsEvent }) => ownStep(resOutputsEvent))) {
      if (!uncountedOperations.has(op)) changes[op] = (changes[op] ?? 0) + 1;
    }
    return changes;
  }

  /** The top-level properties that `--diff` marks as added, removed or changed, such as `~ description`. */
  get markedProperties(): string[] {
    const marks = this.stdout.matchAll(/^ +([~+-]) (\w+) *: /gm);
    return Array.from(marks, ([, mark, name]) => `${mark} ${name}`);
  }

  /** The errors shown to the user, such as failures of check and messages of the provider. */
  get errors(): string[] {
    return this.diagnostics('error');
  }

  /** The warnings shown to the user. */
  get warnings(): string[] {
    return this.diagnostics('warning');
  }

  /** The warnings and notices shown to the user, including lines that the provider prints. */
  get notices(): string[] {
    return this.diagnostics('warning', 'info', 'info#err');
  }

  /** The JSON that `preview --json` and similar calls print. */
  get json(): unknown {
    return JSON.parse(this.stdout) as unknown;
  }

  /** Everything, for an error message. */
  describe(): string {
    const ending = this.signal === null ? `exit code ${this.exitCode}` : `signal ${this.signal}`;
    return `${this.call.commandLine}\nended with ${ending} after ${this.call.durationMs} ms\n${this.output}`;
  }

  private diagnostics(...severities: string[]): string[] {
    return this.events.flatMap(({ diagnosticEvent }) =>
      diagnosticEvent !== undefined && severities.includes(diagnosticEvent.severity)
        ? [diagnosticEvent.message.trim()]
        : [],
    );
  }
}

/** Omits the stack itself and the providers. */
const ownStep = (event: { readonly metadata: StepMetadata } | undefined): StepMetadata[] =>
  event === undefined || event.metadata.type.startsWith('pulumi:') ? [] : [event.metadata];

/** Steps without a change, and the two halves of a replacement. */
const uncountedOperations = new Set(['same', 'read', 'create-replacement', 'delete-replaced']);

/** One line of the engine's event log, reduced to what the tests use. */
interface EngineEvent {
  readonly resourcePreEvent?: { readonly metadata: StepMetadata };
  readonly resOutputsEvent?: { readonly metadata: StepMetadata };
  readonly diagnosticEvent?: { readonly urn?: string; readonly message: string; readonly severity: Severity };
}

type Severity = 'debug' | 'info' | 'info#err' | 'warning' | 'error';

/** A step of the engine on one resource. */
interface StepMetadata {
  readonly op: string;
  readonly urn: string;
  readonly type: string;
  readonly old: StepState | null;
  readonly new: StepState | null;
}

interface StepState {
  readonly id: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, unknown>>;
}

/** The events of a run; a line cut short by a kill is omitted. */
const readEvents = (eventLogFile: string): EngineEvent[] => {
  if (!existsSync(eventLogFile)) return [];
  const text = readFileSync(eventLogFile, 'utf8');
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as EngineEvent);
};
