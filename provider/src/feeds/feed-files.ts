import { COMMAND_LINE } from '../errors/words';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../errors/user-error';
import { DECLARATION_FILE, type Declarations, parseDeclarations } from './feed-declaration';
import { type Lock, LOCK_FILE, parseLock } from './lock';

/** The nearest folder with declarations, from a folder upwards. The packages of a workspace may share those at its root. */
export function findFeedsFolder(from: string): string | undefined {
  let folder = path.resolve(from);
  for (;;) {
    const current = folder;
    if (existsSync(path.join(current, DECLARATION_FILE))) return current;
    folder = path.dirname(current);
    if (folder === current) return undefined;
  }
}

/** Both files of a folder. */
export interface FeedFiles {
  readonly declarations: Declarations;
  readonly lock: Lock;
}

/**
 * The declarations of a folder or of one above it, and their lock.
 *
 * @throws UserError with the remedy, if a file is missing or wrong.
 */
export function readFeedFiles(from: string): FeedFiles {
  const folder = requireFeedsFolder(from);
  const declarations = readDeclarations(folder);
  const text = textOf(path.join(folder, LOCK_FILE));
  if (text === undefined) {
    throw new UserError(
      `There is no ${LOCK_FILE} next to ${DECLARATION_FILE} in ${folder}: run "${COMMAND_LINE} feeds update" and commit the file.`,
    );
  }
  return { declarations, lock: parseLock(text) };
}

/** @throws UserError if no folder has declarations. */
export function requireFeedsFolder(from: string): string {
  const folder = findFeedsFolder(from);
  if (folder !== undefined) return folder;
  throw new UserError(
    `There is no ${DECLARATION_FILE} in ${path.resolve(from)} or above it. Create it next to Pulumi.yaml, for example with ` +
      `{"feeds":{"cloudflare":{"publisher":"cloudflare"}}}, and run "${COMMAND_LINE} feeds update".`,
  );
}

/** @throws UserError if the declarations of a folder cannot be used. */
export const readDeclarations = (folder: string): Declarations =>
  parseDeclarations(textOf(path.join(folder, DECLARATION_FILE)) ?? '{}');

/** The text of a file, with line ends normalised; undefined if there is no file. */
export function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new UserError(
      `${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'no reason given'}).`,
      { cause: error },
    );
  }
}
