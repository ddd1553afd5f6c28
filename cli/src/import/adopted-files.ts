import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { firstOf } from 'pulumi-edge-policy/internal/values/failure';
import { liveIdsOf } from '../pulumi/managed';
import type { Adoption } from '../adopt/adoption';
import type { ProgramForm } from '../adopt/generate';
import { safeText } from '../command/text';
import { type AdoptedFiles, importCommandLine, type ImportRun } from './prepare-import';

/** The first pair of `adopted`, `adopted-2`, … in a folder of which nothing exists, not even a link to nothing. */
function freeFiles({ folder, form }: ImportRun): AdoptedFiles {
  const taken = namesIn(folder);
  for (let number = 1; ; number += 1) {
    const base = number === 1 ? 'adopted' : `adopted-${number}`;
    const [program, importFile] = [`${base}${EXTENSIONS[form]}`, `${base}.import.json`];
    if (taken.includes(program) || taken.includes(importFile)) continue;
    return { program: path.join(folder, program), importFile: path.join(folder, importFile) };
  }
}

const EXTENSIONS: Readonly<Record<ProgramForm, string>> = {
  typescript: '.ts',
  commonjs: '.js',
  module: '.js',
};

/** What an import file is about. */
interface EarlierImport {
  readonly importFile: string;
  readonly resources: readonly { readonly name: string; readonly liveIds: readonly string[] }[];
}

/**
 * The import files in a folder.
 *
 * @throws UserError if one cannot be understood, as after a kill while it was written: its objects are not known.
 */
const earlierImports = (folder: string): EarlierImport[] =>
  namesIn(folder)
    .filter((name) => /^adopted(-\d+)?\.import\.json$/.test(name))
    .map((name) => readEarlier(path.join(folder, name)));

function readEarlier(importFile: string): EarlierImport {
  try {
    const { resources } = JSON.parse(readFileSync(importFile, 'utf8')) as {
      readonly resources: readonly (Parameters<typeof liveIdsOf>[0] & { readonly name: string })[];
    };
    return {
      importFile,
      resources: resources.map((resource) => ({ name: resource.name, liveIds: liveIdsOf(resource) })),
    };
  } catch {
    throw new UserError(
      `${importFile} is not a complete import file, so it is unknown what an earlier import wrote. Nothing was done. Delete the ` +
        `file and run the command again.`,
    );
  }
}

/** The module of an earlier import whose resources the state holds, and the program does not: an `up` would delete them. */
export interface Undeclared {
  readonly module: string;
  readonly resources: number;
  readonly liveObjects: number;
}

/** The modules that no other file of the project names. */
export function undeclaredModules({ folder, projectFolder, situation, form }: ImportRun): Undeclared[] {
  const written = earlierImports(folder).flatMap(({ importFile, resources }): Undeclared[] => {
    const held = resources.filter(({ liveIds }) => liveIds.some((id) => situation.managedIds.has(id)));
    const module = importFile.replace(/\.import\.json$/, EXTENSIONS[form]);
    const liveObjects = held.reduce((sum, { liveIds }) => sum + liveIds.length, 0);
    return held.length === 0 ? [] : [{ module, resources: held.length, liveObjects }];
  });
  if (written.length === 0) return [];
  const sources = sourcesBelow(projectFolder).map((file) => ({ file, text: readFileSync(file, 'utf8') }));
  return written.filter(({ module }) => {
    const base = path.basename(module, EXTENSIONS[form]);
    const names = new RegExp(`["'\`][^"'\`]*\\b${base}(?:\\.[cm]?[jt]s)?["'\`]`);
    return !sources.some(({ file, text }) => file !== module && names.test(text));
  });
}

/** The program, as far as it is TypeScript or JavaScript. */
const sourcesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry): string[] => {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) return /^(?:\.|node_modules$)/.test(entry.name) ? [] : sourcesBelow(place);
    return entry.isFile() && /\.[cm]?[jt]sx?$/.test(entry.name) ? [place] : [];
  });

/** The names that earlier imports into a folder have given, which the state may not hold yet. */
export const givenNames = (folder: string): string[] =>
  earlierImports(folder).flatMap(({ resources }) => resources.map(({ name }) => name));

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

const MOST_NAMED = 10;

/**
 * The files for new code. Code written twice for one object would create it twice, so they are chosen first: of two imports at
 * once, the later one either finds the import file of the other, or cannot create its own.
 *
 * @throws UserError if an import file in the folder is about any of the objects: its import was interrupted, or never begun.
 */
export function chooseFiles(adoptions: readonly Adoption[], run: ImportRun): AdoptedFiles {
  const files = freeFiles(run);
  requireUnwritten(adoptions, run);
  return files;
}

function requireUnwritten(adoptions: readonly Adoption[], run: ImportRun): void {
  const wanted = new Set(adoptions.flatMap(({ liveIds }) => liveIds));
  const isWanted = ({ liveIds }: { readonly liveIds: readonly string[] }): boolean =>
    liveIds.some((id) => wanted.has(id));
  const unfinished = earlierImports(run.folder).find(({ resources }) => resources.some(isWanted));
  if (unfinished === undefined) return;
  const { importFile, resources } = unfinished;
  const missing = resources.filter(isWanted).map(({ name }) => safeText(name));
  const file = path.relative(run.where.cwd, importFile);
  const isBegun = resources.some(({ liveIds }) => liveIds.some((id) => run.situation.managedIds.has(id)));
  throw new UserError(
    `${file} already describes ${missing.length} of the ${adoptions.length} resources to adopt (${firstOf(missing, MOST_NAMED)}),\n` +
      `but the state does not hold them` +
      `${isBegun ? ', only others from that file: an import was interrupted' : ''}. Nothing was done. ` +
      `To import them as they were then:\n  ${importCommandLine(importFile, run)}\n` +
      (isBegun
        ? 'Keep the files: the state already holds some of what they declare.'
        : `If no stack has imported any of it, you can delete ${file} and the module next to it instead, and run the command again.`),
  );
}
