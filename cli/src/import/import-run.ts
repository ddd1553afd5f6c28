import path from 'node:path';
import type { ImportTarget } from '../adopt/generate';
import type { AdoptionPlan } from '../adopt/plan-adoption';
import type { StackAccount } from '../pulumi/accounts';
import type { CliContext } from '../command/context';
import type { Stack } from '../pulumi/stack';
import type { Location } from '../command/arguments';
import type { ImportOptions } from './options';
import type { Situation } from './situation';

/** One call of the command, with what it knows before it asks the service. */
export interface ImportRun {
  readonly options: ImportOptions;
  readonly where: Location;
  readonly context: CliContext;
  /** The folder of the project, or the one of the call outside of a project. */
  readonly projectFolder: string;
  /** The folder of the files. */
  readonly folder: string;
  /** Present if the import will be carried out. */
  readonly stack: Stack | undefined;
  readonly situation: Situation;
  /** The program's language, if it is another than that of the written code: the engine then writes the code. */
  readonly otherLanguage: string | undefined;
  /** The account of the imported objects. */
  readonly account: StackAccount;
  /** The host and provider of the imported resources. */
  readonly target: ImportTarget;
}

/** The two files of an import: a module with code, and the engine's import file. */
export interface AdoptedFiles {
  readonly program: string;
  readonly importFile: string;
}

/** The result of an import. */
export interface ImportOutcome {
  readonly run: ImportRun;
  readonly plan: AdoptionPlan;
  /** Absent if there was no new code to write. */
  readonly written: AdoptedFiles | undefined;
  readonly isImported: boolean;
  /** Why not everything could be imported, with the way out. */
  readonly problem?: string;
}

/** The call of the engine that imports a file: it passes over what the state holds already, so it can be repeated. */
export function importCommandLine(
  importFile: string,
  { where: { cwd, stack }, otherLanguage }: ImportRun,
): string {
  const marks = [
    ...(otherLanguage === undefined ? ['--generate-code=false'] : []),
    ...['--protect=false', '--yes'],
    ...(stack === undefined ? [] : ['--stack', stack]),
  ];
  return `pulumi import --file ${path.relative(cwd, importFile)} ${marks.join(' ')}`;
}
