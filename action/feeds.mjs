// The published networks of a revision, as files for the review. Base and change are read alike, each from its nearest folder.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The file names of `feeds`: the declarations first. */
export const FILES = ['edge-policy.feeds.json', 'edge-policy.feeds.lock.json'];

/** The folders of a repository from one up to the root, the nearest first; by path alone, without a checkout. */
function foldersUp(folder) {
  return folder === '.' ? ['.'] : [folder, ...foldersUp(path.posix.dirname(folder))];
}

/**
 * Writes the files of a revision into a folder, which stays empty if there are none.
 *
 * @param {string} from the folder of the project in the repository, normalized
 * @param {string} target
 * @param {(file: string) => Promise<string | undefined>} textOf
 */
export async function copyFeeds(from, target, textOf) {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const [declarations, lock] = FILES;
  for (const folder of foldersUp(from)) {
    const text = await textOf(path.posix.join(folder, declarations));
    if (text === undefined) continue;
    writeFileSync(path.join(target, declarations), text);
    const locked = await textOf(path.posix.join(folder, lock));
    if (locked !== undefined) writeFileSync(path.join(target, lock), locked);
    return;
  }
}
