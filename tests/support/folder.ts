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
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
  }
  return folder;
};
