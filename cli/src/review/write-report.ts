import { lstatSync, writeFileSync } from 'node:fs';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { writeWhole } from '../command/write-file';

/**
 * Writes a report atomically, readable by its owner only. A link is not followed: in a folder that others can write to, it
 * could lead to any file of the user.
 */
export function writeReport(file: string, text: string): void {
  const there = lstatSync(file, { throwIfNoEntry: false });
  if (there?.isSymbolicLink() === true) {
    throw new UserError(`${file} is a symbolic link, which is not followed: name the file itself.`);
  }
  // A device or a pipe is written to, and not replaced by a file.
  if (there === undefined || there.isFile()) writeWhole(file, text);
  else if (there.isDirectory()) throw new UserError(`${file} is a folder: name a file.`);
  else writeFileSync(file, text);
}
