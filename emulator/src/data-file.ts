import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

import type { Seed } from './seed';

/** Everything in the emulator, by account, in the form of seeds. */
export type Snapshot = Readonly<Record<string, Seed>>;

/** The snapshot in the file; empty if there is no file yet. */
export function readSnapshot(file: string): Snapshot {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
  try {
    return JSON.parse(text) as Snapshot;
  } catch (cause) {
    throw new Error(`data file ${file} is not a snapshot of an emulator`, { cause });
  }
}

/** Replaces the file atomically: a crash leaves the old one or the new one. */
export function writeSnapshot(file: string, snapshot: Snapshot): void {
  const draft = `${file}.new`;
  // Created exclusively, so that nothing planted there, such as a link to another file, is written through.
  rmSync(draft, { force: true });
  writeFileSync(draft, JSON.stringify(snapshot, null, 2), { flag: 'wx', mode: 0o600 });
  renameSync(draft, file);
}
