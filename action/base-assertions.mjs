import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { runQuietly } from './run.mjs';

const DEFAULT_FILE = 'edge-policy.assertions.json';

/** The assertion files that the arguments of a review name, or the one that it reads by itself. */
export function assertionFiles(args) {
  const named = args.flatMap((argument, index) => {
    if (argument === '--assertions') return args.slice(index + 1, index + 2);
    return argument.startsWith('--assertions=') ? [argument.slice('--assertions='.length)] : [];
  });
  return named.length === 0 ? [DEFAULT_FILE] : named;
}

/**
 * The arguments that show a review the assertions of the revision that a pull request is against. Where that cannot be
 * read, as in a shallow clone, they name a file that is not there: the review says so, and silence would be no guard.
 */
export function baseAssertions(baseCommit, { files, fileOf }) {
  const mergeBase = runQuietly('git', ['merge-base', baseCommit, 'HEAD']);
  return files.flatMap((file, index) => {
    const copy = fileOf(`base-${index}.json`);
    if (mergeBase.status === 0) writeFileSync(copy, contentAt(mergeBase.stdout.trim(), file));
    return ['--base-assertions', copy];
  });
}

/** A file that the revision did not have asked for nothing. */
function contentAt(commit, file) {
  const object = `${commit}:./${path.normalize(file)}`;
  if (runQuietly('git', ['cat-file', '-e', object]).status !== 0) return '{}';
  return runQuietly('git', ['show', object]).stdout;
}
