import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { textOf } from 'pulumi-edge-policy/internal/feeds/feed-files';
import { CONFLICT_MARK } from 'pulumi-edge-policy/internal/feeds/lock';
import {
  entryText,
  type ListEntry,
  type ListFile,
  listFileText,
  LISTS_SCHEMA,
  parseListFile,
} from 'pulumi-edge-policy/internal/lists/list-file';
import type { CliContext } from '../command/context';
import { replaceFile } from '../command/write-file';
import { Git, GitProblem } from '../explain/git';
import { type Conflict, mergeLists } from './merge-lists';

/** The list of a file that does not exist yet. */
const FIRST_LIST = 'exceptions';

/** A file with lists while a command edits it. A merge that git could not finish is finished here. */
export class ListsAtWork {
  private constructor(
    private readonly file: string,
    /** The name of the file, as the user gave it. */
    readonly name: string,
    private readonly before: string | undefined,
    private content: ListFile,
    private conflicts: readonly Conflict[],
  ) {}

  /** @throws UserError if the file is wrong. */
  static async open(
    folder: string,
    name: string,
    context: Pick<CliContext, 'environment'>,
  ): Promise<ListsAtWork> {
    const file = path.resolve(folder, name);
    const text = textOf(file);
    if (text !== undefined && CONFLICT_MARK.test(text)) {
      const [base, ours, theirs] = await sidesOf(file, name, context);
      const { merged, conflicts } = mergeLists(base, ours, theirs);
      return new ListsAtWork(file, name, text, merged, conflicts);
    }
    return new ListsAtWork(file, name, text, text === undefined ? NEW_FILE : parseListFile(text, name), []);
  }

  get exists(): boolean {
    return this.before !== undefined;
  }

  get lists(): ListFile['lists'] {
    return this.content.lists;
  }

  /**
   * The name of the list that is meant: the only one, if none is named.
   *
   * @throws UserError if there is no such list.
   */
  nameOf(given: string | undefined): string {
    if (!this.exists) return given ?? FIRST_LIST;
    const known = [...this.lists.keys()];
    const [only] = known;
    if (given === undefined && only !== undefined && known.length === 1) return only;
    if (given !== undefined && this.lists.has(given)) return given;
    const hint = `The lists of ${this.name} are ${known.join(', ') || 'none'}`;
    if (given === undefined) throw new UserError(`${hint}: name one with --list.`);
    throw new UserError(`${hint}: for another one, add "${given}": { "action": "allow" } to the file.`);
  }

  /** Sets an entry, or removes it: that settles a conflict about it. */
  set(list: string, network: string, entry: ListEntry | undefined): void {
    const { action = 'allow', entries = [] } = this.lists.get(list) ?? {};
    const others = [...entries].filter(([text]) => text !== network);
    const edited = { action, entries: new Map([...others, ...(entry ? [[network, entry] as const] : [])]) };
    this.content = { ...this.content, lists: new Map([...this.lists, [list, edited]]) };
    this.conflicts = this.conflicts.filter((open) => open.list !== list || open.network !== network);
  }

  /**
   * Writes the file in its canonical form; returns whether it was another text before.
   *
   * @throws UserError if both sides of a merge have changed an entry, or an entry has a member that it cannot have.
   */
  write(): boolean {
    if (this.conflicts.length > 0)
      throw new UserError(this.conflicts.map((open) => this.undecided(open)).join('\n'));
    const text = listFileText(this.content);
    parseListFile(text, this.name);
    if (text === this.before) return false;
    replaceFile(this.file, text);
    return true;
  }

  /** Makes the file what it was. */
  restore(): void {
    if (this.before !== undefined) replaceFile(this.file, this.before);
    else if (existsSync(this.file)) rmSync(this.file);
  }

  private undecided({ list, network, ours, theirs }: Conflict): string {
    const said = (entry: ListEntry | undefined): string => (entry ? entryText(entry) : 'removed');
    return (
      `${this.name}: both sides of the merge have changed ${network} in the list "${list}": ${said(ours)}, and ${said(theirs)}. ` +
      `Decide with "${COMMAND_LINE} grant ${network} …" or "${COMMAND_LINE} revoke ${network}".`
    );
  }
}

const NEW_FILE: ListFile = { schema: LISTS_SCHEMA, lists: new Map() };

/** What a merge began from, and both its sides, from the index of git: the markers do not say what a side has removed. */
async function sidesOf(
  file: string,
  name: string,
  context: Pick<CliContext, 'environment'>,
): Promise<readonly [ListFile, ListFile, ListFile]> {
  const git = new Git(path.dirname(file), context);
  const side = async (stage: 1 | 2 | 3): Promise<ListFile> =>
    parseListFile(await git.ask(['cat-file', 'blob', `:${stage}:./${path.basename(file)}`]), name);
  try {
    // Without a common beginning, both have made the file.
    const base = side(1).catch((error: unknown) => {
      if (error instanceof GitProblem) return NEW_FILE;
      throw error;
    });
    return [await base, await side(2), await side(3)];
  } catch (error) {
    if (!(error instanceof GitProblem)) throw error;
    throw new UserError(
      `${name} has the conflict markers of a merge that git does not know of (${error.message}): take the file from the last good commit.`,
    );
  }
}
