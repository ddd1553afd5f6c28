import { spawnSync } from 'node:child_process';

/** A problem that the user has to solve; shown as plain text, without a stack. */
export class SetupError extends Error {}

/** @param {string} line */
export const say = (line) => {
  console.log(`setup: ${line}`);
};

/**
 * Runs long work in sight of the user, who sees the progress that the command itself shows.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnSyncOptions} [options]
 * @returns whether it succeeded; a command that cannot be started has failed
 */
export const isDone = (command, args, options = {}) =>
  spawnSync(command, args, { ...options, stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;

/**
 * What a command says of itself, such as its version.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @returns {string | undefined} undefined if it fails, or does not answer
 */
export const answerOf = (command, args) => {
  const { status, stdout } = spawnSync(command, args, { encoding: 'utf8', timeout: 20_000 });
  return status === 0 ? stdout.trim() : undefined;
};
