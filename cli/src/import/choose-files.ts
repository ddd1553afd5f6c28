import path from 'node:path';
import type { Adoption } from '../adopt/adoption';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { safeText } from '../command/text';
import { type AdoptedFiles, earlierImports, freeFiles } from './adopted-files';
import { importCommandLine, type ImportRun } from './import-run';
import { isJavaScriptModule } from './module-line';

const MOST_NAMED = 10;

/**
 * The files for new code. Code written twice for one object would create it twice, so they are chosen first: of two imports at
 * once, the later one either finds the import file of the other, or cannot create its own.
 *
 * @throws UserError if an import file in the folder is about any of the objects: its import was interrupted, or never begun.
 */
export function chooseFiles(adoptions: readonly Adoption[], run: ImportRun): AdoptedFiles {
  const files = freeFiles(run.folder, isJavaScriptModule(run.projectFolder) ? '.mjs' : '.ts');
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
    `${file} holds ${missing.length} of the ${adoptions.length} resources to adopt (${missing.slice(0, MOST_NAMED).join(', ')}` +
      `${missing.length > MOST_NAMED ? ', …' : ''}),\nwhich the state does not hold` +
      `${isBegun ? ', although it holds others from that file: an import was interrupted' : ''}. Nothing was done. ` +
      `To import them as they were then:\n  ${importCommandLine(importFile, run)}\n` +
      (isBegun
        ? 'Keep the files: the state already holds some of what they declare.'
        : `If no stack has imported any of it, you can delete ${file} and the module next to it instead, and run the command again.`),
  );
}
