import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { quotedWords } from '../adopt/names';

const SOURCE = /\.[cm]?[jt]sx?$/;
const FOREIGN_FOLDERS = new Set(['node_modules', 'dist', 'build', 'coverage']);
const LARGEST_SOURCE_BYTES = 5_000_000;

/**
 * Every quoted word of a project's own sources, among them the names of resources that are declared but not in state yet. Names
 * that a program puts together at run time cannot be seen.
 */
export function namesInCode(projectFolder: string, except: ReadonlySet<string>): Set<string> {
  const names = new Set<string>();
  for (const file of sourceFiles(projectFolder)) {
    if (except.has(file) || statSync(file).size > LARGEST_SOURCE_BYTES) continue;
    for (const word of quotedWords(readFileSync(file, 'utf8'))) names.add(word);
  }
  return names;
}

/** The files, without their extensions, that the sources of a project import or require by relative paths. */
export function importsOfProgram(projectFolder: string): Set<string> {
  const imported = new Set<string>();
  for (const file of sourceFiles(projectFolder)) {
    for (const word of quotedWords(readFileSync(file, 'utf8'))) {
      if (!/^\.\.?\//.test(word)) continue;
      imported.add(path.resolve(path.dirname(file), word.replace(SOURCE, '')));
    }
  }
  return imported;
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
