import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';

/** A stack of 100,000 rules previews as some 40 MB. */
const OUTPUT_LIMIT_BYTES = 1024 ** 3;

/**
 * Runs a program and returns its exit code and standard output. What it says on standard error goes to the log, where
 * it must not be read as a command of the workflow: a stack's names are in it.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {Record<string, string | undefined>} variables
 */
export function runQuietly(program, args, variables = {}) {
  /** @type {Record<string, string | undefined>} */
  const env = { ...process.env, ...variables };
  const result = spawnSync(program, args, { env, encoding: 'utf8', maxBuffer: OUTPUT_LIMIT_BYTES });
  if (result.error) throw new Error(`${program} cannot be run: ${result.error.message}`);
  if (result.stderr !== '') {
    const token = randomUUID();
    console.log(`::stop-commands::${token}\n${result.stderr.trimEnd()}\n::${token}::`);
  }
  return { status: result.status, stdout: result.stdout };
}
