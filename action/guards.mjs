// The guards of base and change (assertions, gates, declared feeds) as files for the review, read from GitHub and from no checkout.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { linesOf } from './bundled-review.mjs';
import { Problem } from './environment.mjs';

const LONGEST_LOCK_BYTES = 16 * 1024 ** 2;

function directoryOf() {
  const directory = path.posix.normalize(process.env.REVIEW_DIRECTORY || '.').replace(/\/$/, '');
  if (path.posix.isAbsolute(directory) || directory.startsWith('..'))
    throw new Problem('the working directory must be in the repository');
  return directory;
}

/** @typedef {{ gitHub: import('./github.mjs').GitHub, repository: string, stack: string }} Place */

/**
 * The arguments of a review that name the guards of a change and of its base, copied into a folder.
 *
 * @param {{ tip: string, head: string }} commits
 * @param {string} folder
 * @param {Place} place
 */
export async function guardArguments({ tip, head }, folder, place) {
  mkdirSync(folder, { recursive: true });
  const base = await assertionsAt(tip, { option: '--base-assertions', folder }, place);
  const change = await assertionsAt(head, { option: '--assertions', folder }, place);
  if (base.present.length === 0) await checkDirectory([tip, head], place);
  for (const name of change.present)
    if (!base.present.includes(name))
      console.log(
        `::notice::The base has no ${name} yet: the review compares that of the change with an empty file.`,
      );
  return [
    ...base.args,
    ...change.args,
    ...(await feedsAt(tip, { option: '--base-feeds', folder }, place)),
    ...(await feedsAt(head, { option: '--feeds', folder }, place)),
    '--confirm-feeds',
  ];
}

/** The assertion files of a commit: the arguments that name them, and which of them exist. */
async function assertionsAt(sha, { option, folder }, { gitHub, repository, stack }) {
  const args = [];
  const present = [];
  const defaults = defaultFiles(stack);
  const named = linesOf(process.env.REVIEW_ASSERTIONS).map(path.posix.normalize);
  await gitHub.commit(repository, sha);
  // The change can correct a name of its own, and none of the base.
  const there = option === '--assertions' ? await gitHub.namesIn(repository, sha, directoryOf()) : [];
  if (misspelt(defaults, there) !== undefined)
    throw new Problem(`the name of an assertion file differs only in case from ${defaults.join(' or ')}`);
  for (const [index, name] of [...new Set([...defaults, ...named])].entries()) {
    const file = path.posix.join(directoryOf(), name);
    if (path.posix.isAbsolute(name) || file.startsWith('..'))
      throw new Problem('an assertion file must be in the repository');
    const copy = path.join(folder, `${option.slice(2)}-${index}.json`);
    const content = await gitHub.fileAt(repository, sha, file);
    if (content !== undefined) present.push(name);
    writeFileSync(copy, content ?? '{}');
    args.push(option, copy);
  }
  return { args, present };
}

/** A directory that is misspelt has no guards, and would weaken none. */
async function checkDirectory(commits, { gitHub, repository }) {
  for (const sha of commits) {
    const names = await gitHub.namesIn(repository, sha, directoryOf());
    if (names.some((name) => /^Pulumi\.(?:ya?ml|json)$/.test(name))) return;
  }
  throw new Problem('the `working-directory` of the workflow has no Pulumi.yaml');
}

/** The published networks of a commit; the change's own may contain anything, and decide nothing that is checked. */
async function feedsAt(sha, { option, folder }, { gitHub, repository }) {
  const target = path.join(folder, option.slice(2));
  await copyFeeds(target, (file) => gitHub.fileAt(repository, sha, file, LONGEST_LOCK_BYTES));
  return [option, target];
}

/** The files next to a program: that of all stacks, and that of this one, by the last part of its name as in `Pulumi.STACK.yaml`. */
export const defaultFiles = (stack) => [
  'edge-policy.assertions.json',
  `edge-policy.assertions.${stack.slice(stack.lastIndexOf('/') + 1)}.json`,
];

/** The name among some that differs only in case from one of the files: not every file system would tell them apart. */
const misspelt = (files, names) =>
  names.find((name) => files.some((file) => file !== name && file.toLowerCase() === name.toLowerCase()));

/** The file names of `feeds`: the declarations first. */
export const FEED_FILES = ['edge-policy.feeds.json', 'edge-policy.feeds.lock.json'];

/** The folders of a repository from one up to the root, the nearest first; by path alone, without a checkout. */
function foldersUp(folder) {
  return folder === '.' ? ['.'] : [folder, ...foldersUp(path.posix.dirname(folder))];
}

/** Writes the files of feeds of a revision, from the nearest folder that has any, into a folder, which else stays empty. */
async function copyFeeds(target, textOf) {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const [declarations, lock] = FEED_FILES;
  for (const folder of foldersUp(directoryOf())) {
    const text = await textOf(path.posix.join(folder, declarations));
    if (text === undefined) continue;
    writeFileSync(path.join(target, declarations), text);
    const locked = await textOf(path.posix.join(folder, lock));
    if (locked !== undefined) writeFileSync(path.join(target, lock), locked);
    return;
  }
}
