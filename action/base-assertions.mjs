import { existsSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runQuietly } from './run-quietly.mjs';

/** The assertion file that a review reads by default. */
export const DEFAULT_FILE = 'edge-policy.assertions.json';

/** The assertion files that the arguments of a review name, or the default one. */
export function assertionFiles(args) {
  const named = args.flatMap((argument, index) => {
    if (argument === '--assertions') return args.slice(index + 1, index + 2);
    return argument.startsWith('--assertions=') ? [argument.slice('--assertions='.length)] : [];
  });
  return named.length === 0 ? [DEFAULT_FILE] : named;
}

/**
 * The arguments that pass to a review the assertions of the revision that a pull request is against. If that cannot be read, as
 * in a shallow clone, they name a file that does not exist, so that the review reports it: silence would be no guard.
 */
export function baseAssertions(baseCommit, { files, fileOf }) {
  const base = mergeBase(baseCommit);
  return files.flatMap((file, index) => {
    const copy = fileOf(`base-${index}.json`);
    const content = base && contentAt(base.commit, pathIn(base.root, file));
    if (content !== undefined) writeFileSync(copy, content ?? '{}');
    if (content === null && existsSync(file)) sayNewInChange(file);
    return ['--base-assertions', copy];
  });
}

/** Says that there are no guards with which those of a change could be compared. */
export const sayNewInChange = (file) =>
  console.log(
    `::notice::The base has no ${file} yet: the review compares that of the change with an empty file.`,
  );

/** The revision that a pull request is against, and the folder of the repository; undefined if git cannot tell. */
export function mergeBase(baseCommit) {
  const commit = git(['merge-base', baseCommit, 'HEAD'])?.trim();
  const root = git(['rev-parse', '--show-toplevel'])?.trim();
  return commit && root ? { commit, root } : undefined;
}

/** A file's path in the repository, however it is written; undefined for a file outside it. */
export function pathIn(root, file) {
  const inside = path.relative(realpathSync(root), path.resolve(realpathSync('.'), file));
  return inside.startsWith('..') || path.isAbsolute(inside) ? undefined : inside;
}

/**
 * The text of a file; null if the revision does not have it, undefined if it cannot be read. The tree decides whether the
 * revision has it: a partial clone has the tree and may lack the file, which is then unread, and not missing.
 */
export function contentAt(commit, file) {
  if (file === undefined) return undefined;
  const entry = git(['ls-tree', '-z', '--full-tree', commit, '--', file]);
  if (entry === undefined) return undefined;
  if (entry === '') return null;
  const [, object] = /^100\d{3} blob ([0-9a-f]+)\t/.exec(entry) ?? [];
  return object === undefined ? undefined : git(['cat-file', 'blob', object]);
}

/** The answer of git; undefined if it fails. Replacement refs, which a checkout can contain, are not followed. */
function git(args) {
  const env = { ...process.env, GIT_NO_REPLACE_OBJECTS: '1', GIT_LITERAL_PATHSPECS: '1' };
  const { status, stdout } = runQuietly('git', args, { env });
  return status === 0 ? stdout : undefined;
}
