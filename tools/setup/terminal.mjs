import { spawn } from 'node:child_process';

const PROGRESS_INTERVAL_MS = 10_000;
const KEPT_OUTPUT_BYTES = 64 * 1024;

/** A problem that the user has to solve; shown as plain text, without a stack. */
export class SetupError extends Error {}

/** @param {string} line */
export const say = (line) => {
  console.log(`setup: ${line}`);
};

/** @param {number} elapsedMs */
export const formatElapsed = (elapsedMs) => {
  const seconds = Math.round(elapsedMs / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
};

/**
 * Does long work, and reports every ten seconds that it is still going on.
 *
 * @template T
 * @param {string} label
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export const withProgress = async (label, work) => {
  const startedAt = Date.now();
  const timer = setInterval(() => {
    say(`${label} (${formatElapsed(Date.now() - startedAt)})`);
  }, PROGRESS_INTERVAL_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
};

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {number} timeoutMs   the command and all its children are killed after this time
 */

/**
 * Runs a command quietly and resolves with its success and the end of its output. Never rejects: a command that cannot be
 * started, or that takes too long, has failed.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} options
 * @returns {Promise<{ isSuccess: boolean, output: string }>}
 */
export const run = (command, args, { timeoutMs, ...options }) =>
  new Promise((resolve) => {
    let output = '';
    // A group of its own, so that the time limit also ends child processes of the command.
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const killGroup = () => {
      if (child.pid !== undefined) signalGroup(child.pid);
    };
    const timer = setTimeout(() => {
      output += `\nstopped after ${formatElapsed(timeoutMs)}`;
      killGroup();
    }, timeoutMs);
    process.once('exit', killGroup);

    /** @param {boolean} isSuccess */
    const finish = (isSuccess) => {
      clearTimeout(timer);
      process.removeListener('exit', killGroup);
      resolve({ isSuccess, output: output.trim() });
    };
    /** @param {Buffer} chunk */
    const keep = (chunk) => {
      output = (output + chunk.toString()).slice(-KEPT_OUTPUT_BYTES);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) => {
      output += error.message;
      finish(false);
    });
    child.on('close', (code) => {
      finish(code === 0);
    });
  });

/** @param {number} groupLeaderPid */
const signalGroup = (groupLeaderPid) => {
  try {
    process.kill(-groupLeaderPid, 'SIGKILL');
  } catch {
    // The group has ended by itself in the meantime.
  }
};

/**
 * The last lines of a command's output, indented, for an error message.
 *
 * @param {string} output
 */
export const lastLines = (output, count = 20) =>
  output
    .split('\n')
    .slice(-count)
    .map((line) => `  ${line}`)
    .join('\n');
