import fs from 'node:fs';
import path from 'node:path';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { textOf } from 'pulumi-edge-policy/internal/feeds/feed-files';
import { CONFLICT_MARK } from 'pulumi-edge-policy/internal/feeds/lock';
import {
  type ListFile,
  listFileText,
  LISTS_SCHEMA,
  parseListFile,
} from 'pulumi-edge-policy/internal/lists/list-file';
import type { CliContext } from '../command/context';
import { unwritable } from '../command/write-file';
import { Git, GitProblem } from '../explain/git';
import { type Conflict, type Edit, mergeLists, withEdit } from './merge-lists';

/** The file that a command is about: its name, as the user gave it, and where the command runs. */
export interface ListsPlace extends Pick<CliContext, 'environment'> {
  readonly cwd: string;
  readonly name: string;
}

const NEW_FILE: ListFile = { schema: LISTS_SCHEMA, lists: new Map() };

/** The lists of a file; undefined if there is none. @throws UserError if it is wrong, or in a merge that a person has to decide. */
export const readLists = async (place: ListsPlace): Promise<ListFile | undefined> =>
  decided(await read(realFile(place), place), place);

/**
 * Edits a file: its new content is written into the lock, which then takes its place. So a process that is ended leaves the old
 * content or the new one, and at most the lock. A lock is never taken over, as its owner may be at work.
 *
 * @throws UserError if nothing was changed.
 */
export async function editLists(
  place: ListsPlace,
  editsOf: (lists: ListFile | undefined) => readonly Edit[],
): Promise<{ readonly edits: readonly Edit[]; readonly lists: ListFile; readonly isWritten: boolean }> {
  const { name } = place;
  const file = realFile(place);
  const lock = `${file}.lock`;
  let held: number | undefined;
  let isWritten = false;
  try {
    const mode = fs.statSync(file, { throwIfNoEntry: false })?.mode;
    held = fs.openSync(lock, 'wx', mode);
    const before = await read(file, place);
    const edits = editsOf(before.lists);
    const lists = edits.reduce(withEdit, decided(before, place, edits) ?? NEW_FILE);
    const text = listFileText(lists);
    // An edit may give an entry a text that it cannot have.
    parseListFile(text, name);
    if (text !== before.text) {
      fs.writeFileSync(held, text);
      // The umask has no say about a file that exists.
      if (mode !== undefined) fs.fchmodSync(held, mode);
      fs.fsyncSync(held);
      fs.renameSync(lock, file);
      isWritten = true;
    }
    return { edits, lists, isWritten };
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    if (held !== undefined || code !== 'EEXIST') throw unwritable(name, error);
    throw new UserError(
      `Another command is editing ${name}: try again. If none is running, one was ended midway: delete "${lock}". Nothing was changed.`,
    );
  } finally {
    if (held !== undefined) fs.closeSync(held);
    if (held !== undefined && !isWritten) fs.rmSync(lock);
  }
}

/** The file itself, if a link leads to it. */
function realFile({ cwd, name }: ListsPlace): string {
  const file = path.resolve(cwd, name);
  if (fs.existsSync(file)) return fs.realpathSync(file);
  if (!fs.lstatSync(file, { throwIfNoEntry: false })) return file;
  throw new UserError(`${name} is a link that leads to no file.`);
}

interface Content {
  /** Absent if there is no file. */
  readonly text?: string;
  readonly lists?: ListFile;
  readonly conflicts: readonly Conflict[];
}

/** Reads a file, and finishes a merge that git could not, but for the conflicts. @throws UserError if the file is wrong. */
async function read(file: string, { name, environment }: ListsPlace): Promise<Content> {
  const text = textOf(file);
  if (text === undefined) return { conflicts: [] };
  if (!CONFLICT_MARK.test(text)) return { text, lists: parseListFile(text, name), conflicts: [] };
  // The index of git has both sides, and what they began from: the markers do not say what a side has removed.
  const git = new Git(path.dirname(file), { environment });
  const side = async (stage: 1 | 2 | 3): Promise<ListFile | undefined> => {
    const found = await git
      .ask(['cat-file', 'blob', `:${stage}:./${path.basename(file)}`])
      .catch((error: unknown) => {
        if (!(error instanceof GitProblem)) throw error;
      });
    return found === undefined ? undefined : parseListFile(found, name);
  };
  const [base = NEW_FILE, ours, theirs] = [await side(1), await side(2), await side(3)];
  if (!ours || !theirs)
    throw new UserError(
      `${name} has the conflict markers of a merge that git does not know of: take the file from the last good commit.`,
    );
  const { merged, conflicts } = mergeLists(base, ours, theirs);
  return { text, lists: merged, conflicts };
}

/** The lists, if edits decide what the sides of a merge disagree about. @throws UserError otherwise. */
function decided(
  { lists, conflicts }: Content,
  { name }: ListsPlace,
  edits: readonly Edit[] = [],
): ListFile | undefined {
  const open = conflicts
    .filter(({ list, network }) => !edits.some((edit) => edit.list === list && edit.network === network))
    .map(
      ({ list, network = 'the action', ours, theirs }) => `${network} of "${list}" (${ours}, and ${theirs})`,
    );
  if (open.length === 0) return lists;
  throw new UserError(
    `${name}: the sides of the merge disagree about ${open.join('; ')}. Decide about an address with "grant" or "revoke", ` +
      `about an action in the file. Nothing was changed.`,
  );
}
