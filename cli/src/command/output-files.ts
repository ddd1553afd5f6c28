import { randomBytes } from 'node:crypto';
import {
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';

/** The two files of an import: a module with code, and the engine's import file. */
export interface OutputFiles {
  readonly program: string;
  readonly importFile: string;
}

/** The files of the first, second, … import into a folder: `adopted.ts`, `adopted-2.ts`, … */
export function filesNumbered(folder: string, number: number): OutputFiles {
  const name = number === 1 ? 'adopted' : `adopted-${number}`;
  return { program: path.join(folder, `${name}.ts`), importFile: path.join(folder, `${name}.import.json`) };
}

/** The first pair of files in a folder of which neither exists. */
export function freeFiles(folder: string): OutputFiles {
  let number = 1;
  for (;;) {
    const files = filesNumbered(folder, number);
    if (!isThere(files.program) && !isThere(files.importFile)) return files;
    number += 1;
  }
}

/** Whether a file, a folder or a link is there, even a link to nothing. */
export const isThere = (file: string): boolean => lstatSync(file, { throwIfNoEntry: false }) !== undefined;

/** @throws UserError if no folder can be made at this place: checked before anything is read or written. */
export function requireOutputFolder(folder: string): void {
  const existing = nearestExisting(folder);
  if (statSync(existing, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new UserError(`--out ${folder}: ${existing} is not a folder. Nothing was written or imported.`);
}

function nearestExisting(folder: string): string {
  for (let place = folder; ; place = path.dirname(place)) {
    try {
      if (isThere(place) || place === path.dirname(place)) return place;
    } catch (error) {
      // A file on the way is what prevents the folder.
      if ((error as NodeJS.ErrnoException).code !== 'ENOTDIR') throw unwritable(folder, error);
    }
  }
}

/** Writes a file atomically, readable by its owner only: descriptions and metadata may be confidential. */
export function writeWhole(file: string, text: string): void {
  const half = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    makeFolder(path.dirname(file));
    // Exclusive: never writes through another user's file or link of this name.
    const handle = openSync(half, 'wx', 0o600);
    try {
      writeFileSync(handle, text);
    } finally {
      closeSync(handle);
    }
    renameSync(half, file);
  } catch (error) {
    rmSync(half, { force: true });
    throw unwritable(file, error);
  }
}

/** Removes a file that will be written anew. */
export function removeFile(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch (error) {
    throw unwritable(file, error);
  }
}

/** Level by level: Node's own recursion never ends below `/proc`, where no folder can be made. */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  makeFolder(path.dirname(folder));
  mkdirSync(folder);
}

const unwritable = (file: string, error: unknown): UserError =>
  new UserError(`${file} cannot be written: ${(error as NodeJS.ErrnoException).code ?? String(error)}`);
