import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import path from 'node:path';
import type { ImportTarget, ProgramForm } from '../adopt/generate';
import type { AdoptionPlan, AlreadyThere } from '../adopt/plan-adoption';
import type { StackAccount } from '../pulumi/accounts';
import type { CliContext } from '../command/context';
import { type Deployment, nameOfUrn } from '../pulumi/deployment';
import { managedIds } from '../pulumi/managed';
import { NoStackError } from '../pulumi/pulumi-cli';
import { requireStack, type Stack } from '../pulumi/stack';
import type { Location } from '../command/arguments';
import type { Undeclared } from './adopted-files';
import type { ImportOptions } from './options';

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
  /** How the written code is written. */
  readonly form: ProgramForm;
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
  /** What earlier imports wrote and the program does not hold yet. */
  readonly undeclared: readonly Undeclared[];
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

/** What the stack holds before an import. */
export interface Situation extends AlreadyThere {
  /** The state; absent if there is no stack to compare with. */
  readonly deployment?: Deployment;
}

/**
 * Reads the state. Without a stack that the import needs, the selected one is used for comparison if there is one.
 *
 * @throws UserError if the state cannot be read, or if an interrupted run has to be settled first.
 */
export async function readSituation(
  stack: Stack | undefined,
  where: Location,
  context: CliContext,
): Promise<Situation> {
  const deployment = await readDeployment(stack, where, context);
  if (deployment !== undefined) requireSettled(deployment);
  return {
    ...(deployment && { deployment }),
    managedIds: new Set(deployment && managedIds(deployment).keys()),
    names: new Set(deployment?.resources.map(({ urn }) => nameOfUrn(urn))),
  };
}

async function readDeployment(
  stack: Stack | undefined,
  where: Location,
  context: CliContext,
): Promise<Deployment | undefined> {
  try {
    return await (stack ?? requireStack(context, where)).deployment();
  } catch (error) {
    // A stack that cannot be read may manage objects that would be declared a second time.
    if (!(error instanceof NoStackError) || stack !== undefined) throw error;
    context.note(`Not compared with any stack: ${error.message}\n\n`);
    return undefined;
  }
}

/** Objects of an interrupted run have no resource yet: adopted under another name, they would be created twice or deleted. */
function requireSettled({ pendingOperations }: Deployment): void {
  if (pendingOperations.length === 0) return;
  throw new UserError(
    `A run of this stack was interrupted, and objects that it created may be among those to adopt. Run\n` +
      `"${COMMAND_LINE} recover" first, then the same with --yes, then this command again. Nothing was done.`,
  );
}
