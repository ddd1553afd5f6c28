import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { deferCleanup, type Lifetime } from './cleanup';

/** A folder with these files, by default until the end of the test; a text that begins with `#!` becomes executable. */
export const folderOf = (files: Readonly<Record<string, string>> = {}, lifetime?: Lifetime): string => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'edge-policy-folder-'));
  deferCleanup(() => {
    rmSync(folder, { recursive: true, force: true });
  }, lifetime);
  writeFiles(folder, files);
  return folder;
};

/** Writes files into a folder, by their paths there. */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
  }
}
