import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';

/** A stack of 100,000 rules previews as some 40 MB. */
const OUTPUT_LIMIT_BYTES = 1024 ** 3;

/**
 * Runs a program to its end, or to the time limit. Its standard error goes to the log in a form that the workflow does not take
 * for commands, as it contains names of the stack.
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

/** Writes foreign text to the log, such as names of the stack or an answer of a server. */
export function logForeign(text) {
  const token = randomUUID();
  console.log(`::stop-commands::${token}\n${text}\n::${token}::`);
}
