import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';

/**
 * Runs one import of a project at a time on this machine. Two at once would overwrite each other's code, so that the next `up`
 * deletes what it declared, or bring one rule in under two names.
 *
 * @throws UserError if another import is running.
 */
export async function oneAtATime<T>(projectFolder: string, work: () => Promise<T>): Promise<T> {
  const file = lockFileOf(projectFolder);
  take(file);
  const letGo = (): void => {
    rmSync(file, { force: true });
  };
  const end = (signal: NodeJS.Signals): void => {
    letGo();
    process.off('SIGTERM', end);
    process.kill(process.pid, signal);
  };
  process.on('SIGTERM', end);
  try {
    return await work();
  } finally {
    process.off('SIGTERM', end);
    letGo();
  }
}

/**
 * The file that notes the process of a project's import. It is not in the project, where a killed import would leave it to be
 * committed.
 */
export function lockFileOf(projectFolder: string): string {
  const folder = existsSync(projectFolder) ? realpathSync(projectFolder) : projectFolder;
  const project = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  return path.join(os.tmpdir(), `edge-policy-import-${project}.lock`);
}

function take(file: string): void {
  if (!isTaken(file)) return;
  const holder = textOf(file);
  // The process that held it was killed.
  if (isDead(Number(holder))) rmSync(file, { force: true });
  if (!isTaken(file)) return;
  throw new UserError(
    `Another import of this project is running, in process ${holder || '(just begun)'}. Wait for it to end; if that ` +
      `process is something else, delete ${file}. Nothing was done.`,
  );
}

/** Whether another process holds it; if not, it is ours now. */
function isTaken(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx', mode: 0o600 });
    return false;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return true;
  }
}

const LONGEST_NUMBER_BYTES = 20;

/**
 * The process that holds it; undefined if it has just gone. In a folder that others can write to, the file may be anything: a
 * link is not followed, a pipe is not waited for, and only as much is read as a number can have.
 */
function textOf(file: string): string {
  try {
    const handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      if (!fstatSync(handle).isFile()) return '';
      const bytes = Buffer.alloc(LONGEST_NUMBER_BYTES);
      return bytes.toString('utf8', 0, readSync(handle, bytes));
    } finally {
      closeSync(handle);
    }
  } catch {
    return '';
  }
}

function isDead(holder: number): boolean {
  if (!Number.isInteger(holder) || holder <= 0) return false;
  try {
    process.kill(holder, 0);
    return false;
  } catch (error) {
    // A process that may not be signalled exists and is another user's.
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
