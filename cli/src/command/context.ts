// What for: what every command has: context, options, exit codes, tables of text, files that it writes.
// Must not know: any other folder.
import { isatty } from 'node:tty';
import { systemClock, type Clock } from 'pulumi-edge-policy/internal/api/clock';
import { outputsOn, type Progress } from './progress';
import { printable } from 'pulumi-edge-policy/internal/values/printable';
import { createInterface } from 'node:readline';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';

/** The exit codes of the commands. The help of a command says what each means there. */
export const EXIT = {
  done: 0,
  /** Something needs a decision or a repair: a red line, a refusal, a part that was left out. */
  attention: 1,
  /** Cannot be decided from what is known, or a document was refused (`feeds`). */
  notDecidable: 2,
  /** Nothing was done: wrong usage, settings, service or CLI. */
  failed: 3,
  /** Ended by Ctrl-C (SIGINT), or by SIGTERM, before anything was done: 128 and the number of the signal, as of any process. */
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export interface CliAnswer {
  readonly isSuccess: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** The surroundings of the commands; tests inject their own. */
export interface CliContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workingDirectory: string;
  readonly clock: Clock;
  /** Calls the Pulumi CLI; if absent, the one on PATH is run. */
  readonly pulumi?: (args: readonly string[], input?: string) => Promise<CliAnswer>;
  /** The name servers of the system; if absent, those of this machine. */
  readonly nameServers?: readonly string[];
  /** Asks on the terminal; absent without one. */
  readonly ask?: Ask;
  /** Writes to standard output: the command's result. */
  readonly print: (text: string) => void;
  /** Writes to standard error: everything except the result. */
  readonly note: (text: string) => void;
  /** Shows a line on the terminal until the next output; absent without one. */
  readonly progress?: Progress;
}

export interface CommandContext extends CliContext {
  readonly end: (code: ExitCode) => void;
}

export const processContext = (): CliContext => ({
  environment: process.env,
  workingDirectory: process.cwd(),
  clock: systemClock,
  // `process.stdin` would make a pipe non-blocking, from which `review -` reads.
  ...(isatty(0) && isatty(2) && { ask: askOnTerminal }),
  ...outputsOn(process),
});

export const hasColours = ({ environment }: CliContext): boolean =>
  process.stdout.isTTY && environment['NO_COLOR'] === undefined;

// The colours of our own reports: an attacker who gets hold of one of these codes can paint and nothing else.
// eslint-disable-next-line no-control-regex -- it is what is looked for
const OWN_COLOURS = /(\u001b\[(?:0|1|3[123])m)/;

/** A context whose output contains nothing that a terminal acts on, whatever a command prints. */
export const safeContext = (context: CliContext): CliContext => ({
  ...context,
  print: (text) => {
    const pieces = text.split(OWN_COLOURS);
    context.print(pieces.map((piece, at) => (at % 2 === 1 ? piece : printable(piece))).join(''));
  },
  note: (text) => {
    context.note(printable(text));
  },
});

export type Ask = (question: string) => Promise<string>;

/** Asks on the terminal of this process, which reads whole lines, so that Ctrl-C ends the process as anywhere else. */
const askOnTerminal: Ask = (question) => {
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  return new Promise((resolve, reject) => {
    lines.once('close', () => {
      reject(
        new UserError('A question has no answer, so nothing was done. Options answer them, too: see --help.'),
      );
    });
    lines.question(question, (line) => {
      resolve(line);
      lines.close();
    });
  });
};
