import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import type { ProgramForm } from '../adopt/generate';
import { liveIdsOf } from '../pulumi/deployment';

/** The two files of an import: a module with code, and the engine's import file. */
export interface AdoptedFiles {
  readonly program: string;
  readonly importFile: string;
}

/** The first pair of `adopted`, `adopted-2`, … in a folder of which nothing exists, not even a link to nothing. */
export function freeFiles(folder: string, form: ProgramForm | undefined): AdoptedFiles {
  const taken = namesIn(folder);
  for (let number = 1; ; number += 1) {
    const base = number === 1 ? 'adopted' : `adopted-${number}`;
    const [program, importFile] = [`${base}${extensionOf(form)}`, `${base}.import.json`];
    if (taken.includes(program) || taken.includes(importFile)) continue;
    return { program: path.join(folder, program), importFile: path.join(folder, importFile) };
  }
}

export const extensionOf = (form: ProgramForm | undefined): string =>
  form === undefined || form === 'typescript' ? '.ts' : '.js';

/** What an earlier import into a folder has written; the state may not hold it. */
export interface EarlierImport {
  readonly importFile: string;
  readonly resources: readonly { readonly name: string; readonly liveIds: readonly string[] }[];
}

/** The earlier imports into a folder. @throws UserError if one cannot be understood, as after a kill while it was written. */
export const earlierImports = (folder: string): EarlierImport[] =>
  namesIn(folder)
    .filter((name) => /^adopted(-\d+)?\.import\.json$/.test(name))
    .map((name) => path.join(folder, name))
    .map((importFile) => ({ importFile, resources: resourcesOf(importFile) }));

function resourcesOf(importFile: string): EarlierImport['resources'] {
  try {
    const { resources } = JSON.parse(readFileSync(importFile, 'utf8')) as {
      readonly resources: readonly (Parameters<typeof liveIdsOf>[0] & { readonly name: string })[];
    };
    return resources.map((resource) => ({ name: resource.name, liveIds: liveIdsOf(resource) }));
  } catch {
    throw new UserError(`${importFile} is not a complete import file. Delete it, and run the command again.`);
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // The folder is made when the files are written, or that fails.
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw new UserError(`${folder} cannot be read: ${code ?? String(error)}. Nothing was done.`);
  }
}
