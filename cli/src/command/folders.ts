import { existsSync } from 'node:fs';
import path from 'node:path';

/** A folder and all that it is in, the innermost first. */
export function foldersFrom(folder: string): string[] {
  const above = path.dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersFrom(above)];
}

/** The repositories around a folder, the innermost first. */
export const repositoriesAround = (folder: string): string[] =>
  foldersFrom(folder).filter((each) => existsSync(path.join(each, '.git')));
