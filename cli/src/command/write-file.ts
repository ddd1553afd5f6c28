import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';

/** Who may read a file: what may be confidential, only its owner. */
const FOR_ALL = 0o644;
const FOR_OWNER = 0o600;

/**
 * Writes a file that must not exist yet, readable by its owner only unless told otherwise: descriptions and metadata may be
 * confidential. It never writes through another user's file or link of this name.
 *
 * @throws UserError if it exists, or cannot be written.
 */
export function writeNew(file: string, text: string, mode = FOR_OWNER): void {
  try {
    makeFolder(path.dirname(file));
    writeFileSync(file, text, { flag: 'wx', mode });
  } catch (error) {
    throw unwritable(file, error);
  }
}

/** Writes a file atomically in the place of what is there; a file of a repository or of a cache is readable by all. */
export function replaceFile(file: string, text: string, mode = FOR_ALL): void {
  const half = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    makeFolder(path.dirname(file));
    writeFileSync(half, text, { flag: 'wx', mode });
    renameSync(half, file);
  } catch (error) {
    rmSync(half, { force: true });
    throw unwritable(file, error);
  }
}

/** Writes a report atomically, for its owner only. A link is not followed: it could lead to any file of the user. */
export function writeReport(file: string, text: string): void {
  const there = look(file);
  if (there?.isSymbolicLink() === true) {
    throw new UserError(`${file} is a symbolic link, which is not followed: name the file itself.`);
  }
  // A device or a pipe is written to, and not replaced by a file.
  if (there === undefined || there.isFile()) replaceFile(file, text, FOR_OWNER);
  else if (there.isDirectory()) throw new UserError(`${file} is a folder: name a file.`);
  else writeFileSync(file, text);
}

function look(file: string) {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    throw unwritable(file, error);
  }
}

/** Level by level: Node's own recursion never ends below `/proc`, where no folder can be made. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  mkdirSync(folder);
}

const unwritable = (file: string, error: unknown): UserError =>
  new UserError(`${file} cannot be written: ${WHY[codeOf(error)] ?? codeOf(error)}`);

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error);

const WHY: Readonly<Record<string, string>> = {
  EACCES: 'you have no permission to write there',
  EEXIST: 'it exists already',
  EISDIR: 'it is a folder',
  ENOENT: 'its folder is not there',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is a file',
  EROFS: 'the file system is read-only',
};
