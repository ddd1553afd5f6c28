import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const SOURCE = /\.[cm]?[jt]sx?$/;
const FOREIGN_FOLDERS = new Set(['node_modules', 'dist', 'build', 'coverage']);
const LARGEST_SOURCE_BYTES = 5_000_000;

/**
 * Every quoted word of a project's own sources, among them the names of resources that are declared but not in state yet. Names
 * that a program puts together at run time cannot be seen.
 */
export function namesInCode(projectFolder: string): string[] {
  return [...sourceFiles(projectFolder)]
    .filter((file) => statSync(file).size <= LARGEST_SOURCE_BYTES)
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/(["'`])([^\s"'`\\$]{1,200})\1/g)])
    .map(([, , word = '']) => word);
}

function* sourceFiles(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const location = path.join(folder, entry.name);
    if (isOwnFolder(entry)) yield* sourceFiles(location);
    else if (entry.isFile() && SOURCE.test(entry.name)) yield location;
  }
}

const isOwnFolder = (entry: Dirent): boolean =>
  entry.isDirectory() && !entry.name.startsWith('.') && !FOREIGN_FOLDERS.has(entry.name);
