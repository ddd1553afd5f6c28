// The published networks of a revision, as files for the review. Base and change are read alike, each from its nearest folder.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { contentAt } from './base-assertions.mjs';

/** The file names of `feeds`: the declarations first. */
const FILES = ['edge-policy.feeds.json', 'edge-policy.feeds.lock.json'];

/** The folders of a repository from one up to the root, the nearest first; by path alone, without a checkout. */
export function foldersUp(folder) {
  const normal = path.posix.normalize(folder || '.').replace(/\/$/, '');
  if (normal === '.') return ['.'];
  return [normal, ...foldersUp(path.posix.dirname(normal))];
}

/**
 * Writes the files of a revision into a folder, which stays empty if there are none.
 *
 * @param {string} from
 * @param {string} target
 * @param {(file: string) => Promise<string | null | undefined> | string | null | undefined} textOf
 */
export async function copyFeeds(from, target, textOf) {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const [declarations, lock] = FILES;
  for (const folder of foldersUp(from)) {
    const text = await textOf(path.posix.join(folder, declarations));
    if (typeof text !== 'string') continue;
    writeFileSync(path.join(target, declarations), text);
    const locked = await textOf(path.posix.join(folder, lock));
    if (typeof locked === 'string') writeFileSync(path.join(target, lock), locked);
    return;
  }
}

/**
 * The arguments that pass to a review the feeds of the base, and let it ask their publishers. If the base cannot be read, they name
 * a folder that does not exist, so that the review reports it.
 */
export async function baseFeeds(base, { target }) {
  const args = ['--base-feeds', target, '--confirm-feeds'];
  if (!base) return hasFeeds(path.resolve('.')) ? args : [];
  const unread = Symbol('a file that exists but cannot be read');
  try {
    await copyFeeds(base.folder, target, (file) => {
      const text = contentAt(base.commit, file);
      if (text === undefined) throw unread;
      return text;
    });
    return args;
  } catch (error) {
    if (error !== unread) throw error;
    return ['--base-feeds', `${target}-unread`, '--confirm-feeds'];
  }
}

function hasFeeds(folder) {
  const above = path.dirname(folder);
  return existsSync(path.join(folder, FILES[0])) || (above !== folder && hasFeeds(above));
}
