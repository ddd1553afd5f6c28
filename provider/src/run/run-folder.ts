import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { UserError } from '../errors/user-error';

const OTHERS_MAY_WRITE = 0o022;
const OTHERS_MAY_ENTER = 0o077;
const STICKY = 0o1000;

/** Where a folder of ours may be: what the CLI itself writes to, the runtime folder of the user, and that for temporary files. */
const PLACES: readonly (() => string | undefined)[] = [
  () => process.env['PULUMI_HOME'],
  () => path.join(os.homedir(), '.pulumi'),
  () => process.env['XDG_RUNTIME_DIR'],
  () => os.tmpdir(),
];

/**
 * The folder for the files of runs: no other user can have prepared it, replace it, or look into it.
 *
 * @throws UserError if there is none.
 */
export function runFolder(places = PLACES): string {
  const problems: string[] = [];
  for (const place of places) {
    try {
      const base = place();
      if (base !== undefined && base !== '') return privateFolderIn(base);
    } catch (error) {
      problems.push((error as Error).message);
    }
  }
  throw new UserError(
    `Nothing was deleted or taken over, as the processes of a run have to tell each other first what they own, and there is no ` +
      `folder for that to which only this user can write (${problems.join('; ')}). Set PULUMI_HOME or XDG_RUNTIME_DIR to a folder ` +
      `of your own that others cannot write to, and run it again.`,
  );
}

function privateFolderIn(base: string): string {
  const { uid, mode } = fs.statSync(base);
  const isSafe = (mode & OTHERS_MAY_WRITE) === 0 ? isOurs(uid) || uid === 0 : (mode & STICKY) !== 0;
  // Windows has no such modes, and all of these places are the user's own.
  if (process.getuid !== undefined && !isSafe) throw new Error(`others can write to ${base}`);
  // By uid, as the user of a container may have no name.
  const folder = path.join(base, `edge-policy-${process.getuid?.() ?? 'user'}`);
  fs.mkdirSync(folder, { mode: 0o700, recursive: true });
  const made = fs.lstatSync(folder);
  if (!made.isDirectory()) throw new Error(`${folder} is not a folder`);
  if (process.getuid !== undefined && (!isOurs(made.uid) || (made.mode & OTHERS_MAY_ENTER) !== 0))
    throw new Error(`${folder} is open to others`);
  fs.accessSync(folder, fs.constants.W_OK);
  return folder;
}

const isOurs = (uid: number): boolean => uid === process.getuid?.();
