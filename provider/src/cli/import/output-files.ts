import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Where the two files of an import go. */
export interface OutputFiles {
  readonly program: string;
  readonly importFile: string;
}

const filesNamed = (folder: string, name: string): OutputFiles => ({
  program: path.join(folder, `${name}.ts`),
  importFile: path.join(folder, `${name}.import.json`),
});

/** `adopted.ts` and `adopted.import.json`, or `adopted-2` and so on where either exists and must stay. */
export function chooseFiles(folder: string, mayOverwrite: boolean): OutputFiles {
  const first = filesNamed(folder, 'adopted');
  if (mayOverwrite) return first;
  let files = first;
  for (let number = 2; existsSync(files.program) || existsSync(files.importFile); number += 1) {
    files = filesNamed(folder, `adopted-${number}`);
  }
  return files;
}

/** Writes a file whole or not at all, readable by its owner only: descriptions and metadata may be confidential. */
export function writeWhole(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  const half = `${file}.${process.pid}.tmp`;
  writeFileSync(half, text, { mode: 0o600 });
  renameSync(half, file);
}
