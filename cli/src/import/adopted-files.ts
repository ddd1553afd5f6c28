import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { importCommandLine, type ImportRun } from './prepare-import';

/** @throws UserError if the folder has files of an import, finished or not: code written twice for an object would create it twice. */
export function requireFree(run: ImportRun): void {
  const found = [run.files.program, run.files.importFile].find((file) => existsSync(file));
  if (found === undefined) return;
  throw new UserError(
    `${path.relative(run.where.cwd, found)} exists already, and no file is overwritten. Nothing was done.\n` +
      `If an earlier import was interrupted, bring in what is missing, and run this command again:\n` +
      `  ${importCommandLine(run)}\nOtherwise choose another folder with --out FOLDER.`,
  );
}

/** The module of an earlier import that no file of the program names: if it was imported, an `up` would delete its objects. */
export function undeclaredModule({ files: { program }, projectFolder }: ImportRun): string | undefined {
  const isDeclared = () => sourcesBelow(projectFolder).some((file) => names(file, program));
  return existsSync(program) && !isDeclared() ? program : undefined;
}

/** Whether a file of the program contains the path of a module, as an import of it does. */
const names = (file: string, module: string): boolean =>
  file !== module &&
  readFileSync(file, 'utf8').includes(
    path
      .relative(path.dirname(file), module)
      .replaceAll(path.sep, '/')
      .replace(/\.[jt]s$/, ''),
  );

/** The program, as far as it is TypeScript or JavaScript. */
const sourcesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry): string[] => {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) return /^(?:\.|node_modules$)/.test(entry.name) ? [] : sourcesBelow(place);
    return entry.isFile() && /\.[cm]?[jt]sx?$/.test(entry.name) ? [place] : [];
  });
