import type { Clock } from '../api/clock';
import { systemClock } from '../api/clock';
import type { ReviewCommands } from './review-commands';

/** How a call of the Pulumi CLI ended. */
export interface CliAnswer {
  readonly isSuccess: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** What the commands take from where they run; tests bring their own. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workingDirectory: string;
  readonly clock: Clock;
  /** Calls the Pulumi CLI; absent: the one on PATH, as a process of its own. */
  readonly pulumi?: (args: readonly string[], input?: string) => Promise<CliAnswer>;
  /** The commands of the review; absent: those of the package that is installed. */
  readonly reviewCommands?: ReviewCommands;
  /** Writes to standard output: the command's result. */
  readonly print: (text: string) => void;
  /** Writes to standard error: everything that is not the result. */
  readonly note: (text: string) => void;
}

/** The surroundings of the running process. */
export const processSurroundings = (): Surroundings => ({
  environment: process.env,
  workingDirectory: process.cwd(),
  clock: systemClock,
  /* eslint-disable no-restricted-syntax -- what gets here has passed `safeSurroundings` */
  print: (text) => void process.stdout.write(text),
  note: (text) => void process.stderr.write(text),
  /* eslint-enable no-restricted-syntax */
});
