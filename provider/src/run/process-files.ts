import fs from 'node:fs';
import path from 'node:path';
import { UserError } from '../errors/user-error';
import type { Channel, Tell } from './other-processes';

/** One entry of a file: the address of the service and what is told of objects there, or the name of a file that counts, too. */
type Entry = readonly [service: string, tell: Tell | 'count', ...of: string[]];

interface FilesOptions {
  readonly folder: string;
  /** The name of this process's file, which no other process has used. */
  readonly name: string;
  /** The address of the service that holds the objects of this process. */
  readonly service: () => string;
}

/**
 * Tells the other processes of a run by files: each appends to one of its own and reads those of the others. A file that counts
 * still does when its writer has ended, as the engine closes a provider that a run updates or deletes.
 */
export class ProcessFiles implements Channel {
  readonly name: string;
  private readonly file: number;
  private readonly readers = new Map<string, Reader>();

  constructor(private readonly options: FilesOptions) {
    this.name = options.name;
    this.file = fs.openSync(path.join(options.folder, options.name), 'ax', 0o600);
  }

  /** Counts the file of another process, and all that it counts. So do all processes that count the file of this one. */
  count(name: string): void {
    this.open(name);
    this.append('count', [name]);
  }

  tell(tell: Tell, keys: readonly string[]): void {
    if (keys.length === 0) return;
    try {
      this.append(tell, keys);
    } catch (error) {
      throw unreachable(error);
    }
  }

  heard(): readonly Map<string, Tell>[] {
    try {
      // What one of them counts is appended to the map, and read in the same loop.
      for (const reader of this.readers.values())
        reader.readOn((entry) => {
          this.note(entry, reader);
        });
    } catch (error) {
      throw unreachable(error);
    }
    return [...this.readers.values()].map(({ words }) => words);
  }

  close(): void {
    fs.closeSync(this.file);
    for (const { file } of this.readers.values()) fs.closeSync(file);
  }

  private append(tell: Entry[1], of: readonly string[]): void {
    fs.appendFileSync(this.file, `${JSON.stringify([this.options.service(), tell, ...of])}\n`);
  }

  private open(name: string): void {
    if (name !== this.name && !this.readers.has(name))
      this.readers.set(name, new Reader(fs.openSync(path.join(this.options.folder, name), 'r')));
  }

  private note([service, tell, ...of]: Entry, { words }: Reader): void {
    if (tell === 'count')
      of.forEach((name) => {
        this.open(name);
      });
    else if (service === this.options.service()) for (const key of of) words.set(key, tell);
  }
}

/** The file of another process, as far as it has been read. */
class Reader {
  readonly words = new Map<string, Tell>();
  private offset = 0;

  constructor(readonly file: number) {}

  /** Hands over what has been completed since the last call; all of it once more if one of them is refused. */
  readOn(note: (entry: Entry) => void): void {
    const bytes = Buffer.alloc(fs.fstatSync(this.file).size - this.offset);
    fs.readSync(this.file, bytes, 0, bytes.length, this.offset);
    const length = bytes.lastIndexOf('\n') + 1;
    const lines = bytes.toString('utf8', 0, length).split('\n').slice(0, -1);
    for (const line of lines) note(JSON.parse(line) as Entry);
    this.offset += length;
  }
}

/** The error for a user if the files of a run cannot be written or read. */
export const unreachable = (error: unknown): UserError =>
  new UserError(
    `The processes of this run cannot tell each other which objects they own: ${(error as Error).message}. Nothing was sent: an ` +
      `object of another provider could be lost. Fix this, or set PULUMI_HOME to another folder that you own, and run ` +
      `the command again.`,
  );
