import fs from 'node:fs';
import path from 'node:path';
import { UserError } from '../errors/user-error';

/**
 * What a process says about an object. Only its last word counts. `keep`: a resource owns what it owned before this run.
 * `take`: a resource has created or claimed it. `release`: no resource owns it any more. `delete`: the process is about to
 * delete it. `end-delete`: the process sends no further request to delete it. `fail-delete`: it sends none either, but an
 * earlier one may still take effect.
 */
export type Word = 'keep' | 'take' | 'release' | 'delete' | 'end-delete' | 'fail-delete';

/** One entry of a file: the service's address and what is said about objects there, or the name of another file that counts. */
type Entry = readonly [service: string, word: Word | 'count', ...of: string[]];

interface Heard {
  readonly file: number;
  readonly words: Map<string, Word>;
  offset: number;
}

/**
 * The processes of a run tell each other what they own: each appends to its own file and reads the others. A file still counts
 * after its writer has ended, as the engine closes a provider that a run updates or deletes.
 */
export class RunFiles {
  private readonly file: number;
  private readonly others = new Map<string, Heard>();
  /** What this process has told while it was the only one and the disk was full. */
  private untold = '';

  /** @param name No other process has used it. @param service The address of the service of this process's objects. */
  constructor(
    private readonly folder: string,
    readonly name: string,
    private readonly service: () => string,
  ) {
    this.file = fs.openSync(path.join(folder, name), 'ax', 0o600);
  }

  /** Counts the file of another process and all files that it counts. Every process that counts this one's file does so, too. */
  count(name: string): void {
    this.open(name);
    this.append('count', [name]);
  }

  tell(word: Word, keys: readonly string[]): void {
    if (keys.length > 0)
      orUnreachable(() => {
        this.append(word, keys);
      });
  }

  heard(): readonly Map<string, Word>[] {
    // A file that one of them counts is appended to the map and read in this loop.
    orUnreachable(() => {
      for (const other of this.others.values()) this.readOn(other);
    });
    return [...this.others.values()].map(({ words }) => words);
  }

  close(): void {
    for (const file of [this.file, ...[...this.others.values()].map((other) => other.file)])
      fs.closeSync(file);
  }

  /** While there is no other process, nobody reads the file, so that a full disk does no harm. One that joins must find it whole. */
  private append(word: Entry[1], of: readonly string[]): void {
    const text = `${this.untold}${JSON.stringify([this.service(), word, ...of])}\n`;
    const { size } = fs.fstatSync(this.file);
    try {
      fs.appendFileSync(this.file, text);
      this.untold = '';
    } catch (error) {
      fs.ftruncateSync(this.file, size);
      if (this.others.size > 0 || (error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      this.untold = text;
    }
  }

  private open(name: string): void {
    if (name === this.name || this.others.has(name)) return;
    const file = fs.openSync(path.join(this.folder, name), 'r');
    this.others.set(name, { file, words: new Map(), offset: 0 });
  }

  /** Reads the entries completed since the last call. If one is refused, the next call reads them all again. */
  private readOn(other: Heard): void {
    const bytes = Buffer.alloc(fs.fstatSync(other.file).size - other.offset);
    fs.readSync(other.file, bytes, 0, bytes.length, other.offset);
    const length = bytes.lastIndexOf('\n') + 1;
    const lines = bytes.toString('utf8', 0, length).split('\n').slice(0, -1);
    for (const line of lines) {
      const [service, word, ...of] = JSON.parse(line) as Entry;
      for (const each of of) {
        if (word === 'count') this.open(each);
        else if (service === this.service()) other.words.set(each, word);
      }
    }
    other.offset += length;
  }
}

function orUnreachable(work: () => void): void {
  try {
    work();
  } catch (error) {
    throw unreachable(error);
  }
}

export const unreachable = (error: unknown): UserError =>
  new UserError(
    `The processes of this run cannot tell each other which objects they own: ${(error as Error).message}. Nothing was sent: an ` +
      `object of another provider could be lost. Fix this, or set PULUMI_HOME to another folder that you own, and run ` +
      `the command again.`,
  );
