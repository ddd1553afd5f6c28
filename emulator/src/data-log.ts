import {
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';

import { DataLock } from './data-lock';
import type { Change } from './store/changes';

export interface DataRecord {
  readonly account: string;
  readonly change: Change;
}

/**
 * An append log of changes, one JSON line each. A line is handed to the operating system before the request is
 * answered, so an answered write outlives the process, however it ends (not a power cut: that would need a
 * sync per request).
 */
export class DataLog {
  private descriptor: number | undefined;
  private readonly lock: DataLock;

  constructor(private readonly file: string) {
    this.lock = new DataLock(file);
  }

  /** The records in the file. A torn last line is a write that was never answered, and is dropped. */
  replay(): DataRecord[] {
    const there = lstatSync(this.file, { throwIfNoEntry: false });
    if (there === undefined) return [];
    // A link may lead to another user's file, and a pipe never ends.
    if (!there.isFile()) throw new Error(`data file ${this.file} is no plain file`);
    const lines = readFileSync(this.file, 'utf8').split('\n');
    // The text after the last line feed is empty or torn: a complete record always has its line feed.
    lines.pop();
    return lines.map((line, index) => this.parse(line, index + 1));
  }

  append(record: DataRecord): void {
    if (this.descriptor === undefined) throw new Error(`data file ${this.file} is closed`);
    writeAll(this.descriptor, `${JSON.stringify(record)}\n`);
  }

  /** Replaces the file by the given records atomically: a crash leaves the old file or the new one. */
  compact(records: Iterable<DataRecord>): void {
    const draft = `${this.file}.new`;
    // Created exclusively, so that nothing planted there, such as a link to a file of ours, is written through.
    rmSync(draft, { force: true });
    const descriptor = openSync(draft, 'wx', 0o600);
    for (const record of records) writeAll(descriptor, `${JSON.stringify(record)}\n`);
    fsyncSync(descriptor);
    renameSync(draft, this.file);
    this.closeFile();
    this.descriptor = descriptor;
  }

  close(): void {
    this.closeFile();
    this.lock.release();
  }

  private closeFile(): void {
    if (this.descriptor !== undefined) closeSync(this.descriptor);
    this.descriptor = undefined;
  }

  private parse(line: string, lineNumber: number): DataRecord {
    try {
      return JSON.parse(line) as DataRecord;
    } catch (cause) {
      throw new Error(`data file ${this.file}: line ${lineNumber} is not a record of this emulator`, {
        cause,
      });
    }
  }
}

function writeAll(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length;) {
    written += writeSync(descriptor, bytes, written, bytes.length - written);
  }
}
