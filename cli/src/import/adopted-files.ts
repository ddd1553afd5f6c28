import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import type { Adoption } from '../adopt/adoption';
import { type EarlierImport, extensionOf } from './earlier-imports';
import { importCommandLine, type ImportRun } from './prepare-import';

function unfinishedImport(adoptions: readonly Adoption[], { earlier }: ImportRun): EarlierImport | undefined {
  const wanted = new Set(adoptions.flatMap(({ liveIds }) => liveIds));
  return earlier.find(({ resources }) => isAbout(resources, wanted));
}

const isAbout = (resources: EarlierImport['resources'], ids: ReadonlySet<string>): boolean =>
  resources.some(({ liveIds }) => liveIds.some((id) => ids.has(id)));

/** The file of an import into this stack that ended midway: the state holds a part of it. */
export function interruptedImport(adoptions: readonly Adoption[], run: ImportRun): string | undefined {
  const unfinished = unfinishedImport(adoptions, run);
  return unfinished && isAbout(unfinished.resources, run.there.managedIds)
    ? unfinished.importFile
    : undefined;
}

/** @throws UserError if an earlier import is about any of the objects: code written twice for one would create it twice. */
export function requireUnwritten(adoptions: readonly Adoption[], run: ImportRun): void {
  const unfinished = unfinishedImport(adoptions, run);
  if (unfinished === undefined) return;
  const file = path.relative(run.where.cwd, unfinished.importFile);
  throw new UserError(
    `${file} already describes some of the resources to adopt, but the state does not hold them. Nothing was done. ` +
      `To import them as they were then:\n  ${importCommandLine(unfinished.importFile, run)}\n` +
      `If no stack has imported any of it, you can delete ${file} and the module next to it instead, and run the command again.`,
  );
}

/** The modules of earlier imports whose resources the state holds, and that no file of the program names: an `up` would delete them. */
export function undeclaredModules({ earlier, projectFolder, there, form }: ImportRun): string[] {
  const imported = earlier.filter(({ resources }) => isAbout(resources, there.managedIds));
  if (imported.length === 0 || form === undefined) return [];
  const sources = sourcesBelow(projectFolder);
  return imported
    .map(({ importFile }) => importFile.replace(/\.import\.json$/, extensionOf(form)))
    .filter((module) => !sources.some((file) => file !== module && names(file, module)));
}

/** Whether a file of the program names a module, as an import of it does. */
function names(file: string, module: string): boolean {
  const base = path.basename(module, path.extname(module));
  return new RegExp(`["'\`][^"'\`\n]*/${base}(?:\\.[cm]?[jt]s)?["'\`]`).test(readFileSync(file, 'utf8'));
}

/** The program, as far as it is TypeScript or JavaScript. */
const sourcesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry): string[] => {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) return /^(?:\.|node_modules$)/.test(entry.name) ? [] : sourcesBelow(place);
    return entry.isFile() && /\.[cm]?[jt]sx?$/.test(entry.name) ? [place] : [];
  });
