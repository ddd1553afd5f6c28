// The guards of the base: at the tip of the branch that a pull request is against, in the folder that its project has there.
import { existsSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runQuietly } from './run-quietly.mjs';

/** The assertion files that the arguments of a review name. */
export const namedFiles = (args) =>
  args.flatMap((argument, index) => {
    if (argument === '--assertions') return args.slice(index + 1, index + 2);
    return argument.startsWith('--assertions=') ? [argument.slice('--assertions='.length)] : [];
  });

/** Some files without those that others are, too, whatever the path. */
export function without(files, others) {
  const places = new Set(others.map((file) => path.resolve(file)));
  return files.filter((file) => !places.has(path.resolve(file)));
}

/**
 * The arguments that pass to a review the assertions of the base. If these cannot be read, as in a shallow clone, they name a file
 * that does not exist, so that the review reports it: silence would be no guard.
 */
export function baseAssertions(base, { files, fileOf }) {
  return files.flatMap((file, index) => {
    const copy = fileOf(`base-${index}.json`);
    const content = base && contentAt(base.commit, pathIn(base, file));
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

/**
 * The base of a pull request: the newest commit of its branch, and the folder there of the project. Undefined if git cannot tell.
 *
 * The folder is found by the project's name, as the change may have renamed its own, or put a link in its place. A project that is
 * new has the path of the change.
 */
export function baseOf(branch, project) {
  const tip = `refs/remotes/origin/${branch}^{commit}`;
  const commit = git(['rev-parse', '--verify', '--end-of-options', tip])?.trim();
  const root = git(['rev-parse', '--show-toplevel'])?.trim();
  const named = commit && foldersOf(project, commit);
  if (!named || !root) return undefined;
  const [folder = path.relative(realpathSync(root), realpathSync('.')), ...others] = named;
  if (others.length === 0) return { commit, folder };
  console.log(`::warning::The base has several folders with a Pulumi.yaml of the project ${project}.`);
  return undefined;
}

/**
 * The folders of a commit with a Pulumi.yaml of this name; undefined if git cannot tell, or if there is none and a project file
 * that does not name its project in the usual way, which may be the one.
 */
function foldersOf(project, commit) {
  const named = foldersWith('-l', nameLine(project.replaceAll('.', '[.]')), commit);
  if (named?.length !== 0) return named;
  return foldersWith('-L', nameLine('[[:alnum:]_.-]+'), commit)?.length === 0 ? [] : undefined;
}

const nameLine = (name) => `^name:[[:space:]]*["']?${name}["']?[[:space:]]*(#.*)?$`;

/** The folders of a commit with project files that have such a line (`-l`), or have none (`-L`). */
function foldersWith(option, line, commit) {
  const files = ['yaml', 'yml', 'json'].map((ending) => `:(top,glob)**/Pulumi.${ending}`);
  const { status, stdout } = runGit([
    'grep',
    `${option}zE`,
    '--full-name',
    '-e',
    line,
    commit,
    '--',
    ...files,
  ]);
  if (status !== 0 && status !== 1) return undefined;
  const places = stdout.split('\0').filter((place) => place !== '');
  return places.map((place) => path.posix.dirname(place.slice(`${commit}:`.length)));
}

/** The path in the base of a file that is named from the project's folder; undefined outside the repository. */
function pathIn({ folder }, file) {
  const here = realpathSync('.');
  const inside = path.join(folder, path.relative(here, path.resolve(here, file)));
  return inside.startsWith('..') ? undefined : inside;
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

/** The answer of git to a call with exact paths; undefined if it fails. */
function git(args) {
  const { status, stdout } = runGit(['--literal-pathspecs', ...args]);
  return status === 0 ? stdout : undefined;
}

/** Replacement refs, which a checkout can contain, are not followed. */
const runGit = (args) => runQuietly('git', ['--no-replace-objects', ...args]);
