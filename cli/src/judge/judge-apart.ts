// What for: judges a change with the review, in a process of its own with limits, and reads and writes its files.
// Must not know: `review`, `drift` and `explain`, which ask it.
// The author of a preview can make it hard to judge, but must not be able to keep a review from ending. So it is judged in a
// process of its own, with limits of time and memory, whatever the work is.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { type Case, judge, type Judgement, tooComplex } from './judge-case';
import { deserialize, serialize } from 'node:v8';

export interface Bounds {
  readonly seconds: number;
  readonly megabytes: number;
  /** The arguments with which Node.js answers: this file, or the bundle that it is in. */
  readonly program: readonly string[];
}

/** The judgement of 100,000 rules takes some ten seconds on a slow machine, and some hundred megabytes. */
const BOUNDS: Bounds = { seconds: 60, megabytes: 2_048, program: [__filename] };

const JUDGE = 'judge-standard-input';

type Answer = { readonly judgement: Judgement } | { readonly refusal: string };

/** Judges a case within bounds; beyond them it is too complex to decide. @throws UserError as {@link judge} does. */
export function judgeApart(given: Case, bounds: Partial<Bounds> = {}): Judgement {
  const { seconds, megabytes, program } = { ...BOUNDS, ...bounds };
  const { status, signal, error, stdout, stderr } = spawnSync(
    process.execPath,
    [`--max-old-space-size=${megabytes}`, ...program, JUDGE],
    {
      ...{ input: serialize(given), timeout: seconds * 1_000, killSignal: 'SIGKILL' },
      // The report is as long as it is. No key of this process is needed.
      ...{ maxBuffer: Infinity, env: {}, windowsHide: true },
    },
  );
  if (status === 0) {
    const answer = deserialize(stdout) as Answer;
    if ('refusal' in answer) throw new UserError(answer.refusal);
    return answer.judgement;
  }
  // An engine without memory, or that is killed as time is up, ends by a signal or with a status that no error of ours has.
  const isBeyond = signal === null ? status !== null && status !== FAILED : !STOPPED.includes(signal);
  if (isBeyond) return tooComplex(given);
  if (status === null && error) throw error;
  // Where it was, and no message, which may quote a value.
  const places = stderr.toString().match(/^ +at .*$/gm) ?? [];
  throw new Error([`The review was ended by ${signal ?? 'an error'}.`, ...places].join('\n'));
}

/** The signals of a user or a job that does not want to wait. */
const STOPPED: readonly string[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const FAILED = 1;

export const isAskedToJudge = (): boolean => process.argv[2] === JUDGE;

const STANDARD_INPUT = 0;
const STANDARD_OUTPUT = 1;

export function judgeStandardInput(): void {
  const given = deserialize(readFileSync(STANDARD_INPUT)) as Case;
  writeFileSync(STANDARD_OUTPUT, serialize(answerTo(given)));
}

function answerTo(given: Case): Answer {
  try {
    return { judgement: judge(given) };
  } catch (error) {
    if (error instanceof UserError) return { refusal: error.message };
    throw error;
  }
}

// In a bundle, its entry does this. It comes last, when all that it calls is defined.
if (require.main === module) judgeStandardInput();
