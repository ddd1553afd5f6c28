import { existsSync } from 'node:fs';
import path from 'node:path';
import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { hostOfToken } from 'pulumi-edge-policy/internal/resources/provider-reference';
import { CONFIG_NAMESPACE, HOST_SETTING } from 'pulumi-edge-policy/internal/settings/settings';
import type { ImportTarget, ProgramForm } from '../adopt/generate';
import type { AdoptionPlan, AlreadyThere } from '../adopt/plan-adoption';
import type { Location } from '../command/arguments';
import type { CliContext } from '../command/context';
import { type AccountSources, findProvider, type StackAccount, stackAccount } from '../pulumi/accounts';
import { type Deployment, nameOfUrn } from '../pulumi/deployment';
import { managedIds } from '../pulumi/managed';
import { NoStackError, requireImportingCli } from '../pulumi/pulumi-cli';
import {
  findProjectFolder,
  programLanguage,
  readConfig,
  requireStack,
  type Stack,
  textOfFile,
} from '../pulumi/stack';
import type { ImportOptions } from './options';

/** One call of the command, with what it knows before it asks the service. */
export interface ImportRun {
  readonly options: ImportOptions;
  readonly where: Location;
  readonly context: CliContext;
  /** The folder of the project, or the one of the call outside of a project. */
  readonly projectFolder: string;
  readonly files: AdoptedFiles;
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

/** The files of an import into a folder. */
const filesIn = (folder: string, form: ProgramForm): AdoptedFiles => ({
  program: path.join(folder, `adopted.${form === 'typescript' ? 'ts' : 'js'}`),
  importFile: path.join(folder, 'adopted.import.json'),
});

/** The result of an import. */
export interface ImportOutcome {
  readonly run: ImportRun;
  readonly plan: AdoptionPlan;
  /** Absent if there was no new code to write. */
  readonly written?: AdoptedFiles;
  readonly isImported: boolean;
  /** The module that an earlier import wrote, if the program does not hold it yet. */
  readonly undeclared?: string | undefined;
  /** Why not everything could be imported, with the way out. */
  readonly problem?: string;
}

/** The call of the engine that imports a file: it passes over what the state holds already, so it can be repeated. */
export function importCommandLine({ where: { cwd, stack }, otherLanguage, files }: ImportRun): string {
  const marks = [
    ...(otherLanguage === undefined ? ['--generate-code=false'] : []),
    ...['--protect=false', '--yes'],
    ...(stack === undefined ? [] : ['--stack', stack]),
  ];
  return `pulumi import --file ${path.relative(cwd, files.importFile)} ${marks.join(' ')}`;
}

/** Everything that can be found out, and refused, before the service is asked. */
export async function prepare(
  options: ImportOptions,
  where: Location,
  context: CliContext,
): Promise<ImportRun> {
  const otherLanguage = languageOf(options, where);
  const stack = options.run ? requireStack(context, where) : undefined;
  if (stack !== undefined) await requireImportingCli(stack.cli);
  const situation = await readSituation(stack, where, context);
  const from = { deployment: situation.deployment, reading: await readConfig(context, where), context };
  const target = targetOf(options, otherLanguage, from);
  const account = stackAccount(target.provider ?? '', from);
  const projectFolder = findProjectFolder(where.cwd) ?? where.cwd;
  const form = formOf(projectFolder);
  const files = filesIn(path.resolve(where.cwd, options.out), form);
  const call = { options, where, context, projectFolder, files, form };
  return { ...call, stack, situation, otherLanguage, account, target };
}

/** The language of a program that is not in TypeScript or JavaScript. @throws UserError with `--run`: the engine writes its code. */
function languageOf({ run }: ImportOptions, where: Location): string | undefined {
  const language = programLanguage(findProjectFolder(where.cwd) ?? where.cwd);
  if (language === '' || language === 'nodejs') return undefined;
  if (run === undefined) return language;
  throw new UserError(
    `This is a program in ${language}, and --run works only with TypeScript and JavaScript. Run the command without --run: it ` +
      `writes the import file, and prints the "pulumi import" command that imports it and prints the code. Nothing was done.`,
  );
}

/** TypeScript, unless everything says JavaScript. */
function formOf(projectFolder: string): ProgramForm {
  const isThere = (name: string) => existsSync(path.join(projectFolder, name));
  if (isThere('tsconfig.json') || !['index.js', 'index.mjs', 'index.cjs'].some(isThere)) return 'typescript';
  return /"type"\s*:\s*"module"/.test(textOfFile(path.join(projectFolder, 'package.json')))
    ? 'module'
    : 'commonjs';
}

/** The provider that the user names and its host, else the host of the stack configuration. @throws UserError if there is none. */
function targetOf(
  { provider: named }: ImportOptions,
  otherLanguage: string | undefined,
  { deployment, reading }: AccountSources,
): ImportTarget {
  if (named !== undefined) {
    const { urn, type } = findProvider(named, deployment);
    return { host: hostOfToken(type), provider: urn };
  }
  const chosen =
    'config' in reading ? reading.config.get(`${CONFIG_NAMESPACE}:${HOST_SETTING}`)?.value : undefined;
  return { host: otherLanguage !== undefined || chosen === 'native' ? 'native' : 'dynamic' };
}

/** What the stack holds before an import. */
interface Situation extends AlreadyThere {
  /** The state; absent if there is no stack to compare with. */
  readonly deployment?: Deployment;
}

/**
 * Reads the state. Without a stack that the import needs, the selected one is used for comparison if there is one.
 *
 * @throws UserError if the state cannot be read, or if an interrupted run has to be settled first.
 */
async function readSituation(
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
