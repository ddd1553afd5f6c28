import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';

/** A stack of 100,000 rules previews as some 40 MB. */
const OUTPUT_LIMIT_BYTES = 1024 ** 3;

/**
 * Runs a program to its end, or to the time limit. What it says on standard error goes to the log, if it must not be read
 * as a command of the workflow: a stack's names are in it.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ env?: Record<string, string | undefined>, timeoutMs?: number }} options
 */
export function runQuietly(program, args, { env = process.env, timeoutMs } = {}) {
  const result = spawnSync(program, args, {
    env,
    encoding: 'utf8',
    maxBuffer: OUTPUT_LIMIT_BYTES,
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  const isOutOfTime = /** @type {NodeJS.ErrnoException | undefined} */ (result.error)?.code === 'ETIMEDOUT';
  if (result.error && !isOutOfTime) throw new Error(`${program} cannot be run: ${result.error.message}`);
  if (result.stderr !== '') logForeign(result.stderr.trimEnd());
  return { status: isOutOfTime ? null : result.status, stdout: result.stdout, isOutOfTime };
}

/** Writes text to the log that holds names of the stack, or an answer of somebody else's. */
export function logForeign(text) {
  const token = randomUUID();
  console.log(`::stop-commands::${token}\n${text}\n::${token}::`);
}
