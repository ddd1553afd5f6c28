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
import { type Deployment, nameOfUrn, managersOf } from '../pulumi/deployment';
import { NoStackError, requireImportingCli } from '../pulumi/pulumi-cli';
import { NO_SIBLINGS, readSiblings, type Siblings } from '../pulumi/siblings';
import {
  findProjectFolder,
  programLanguage,
  readConfig,
  requireStack,
  settingsSources,
  type Stack,
  textOfFile,
} from '../pulumi/stack';
import { type AdoptedFiles, earlierImports, type EarlierImport, freeFiles } from './earlier-imports';
import type { ImportOptions } from './options';

/** One call of the command, with what it knows before it asks the service. */
export interface ImportRun {
  readonly where: Location;
  readonly context: CliContext;
  /** The folder of the project, or the one of the call outside of a project. */
  readonly projectFolder: string;
  readonly files: AdoptedFiles;
  readonly earlier: readonly EarlierImport[];
  /** How code is written; undefined for a program in another language, for which the engine writes it. */
  readonly form: ProgramForm | undefined;
  /** Present if the import will be carried out. */
  readonly stack: Stack | undefined;
  readonly hasState: boolean;
  readonly there: AlreadyThere;
  readonly account: StackAccount;
  readonly target: ImportTarget;
}

export interface ImportOutcome {
  readonly run: ImportRun;
  readonly plan: AdoptionPlan;
  readonly isImported: boolean;
  /** The modules that earlier imports wrote and the program does not hold yet. */
  readonly undeclared: readonly string[];
  /** Why not everything could be imported, with the way out. */
  readonly problem?: string;
}

/** The call of the engine that imports a file: it passes over what the state holds already, so it can be repeated. */
export function importCommandLine(importFile: string, { where: { cwd, stack }, form }: ImportRun): string {
  const marks = [
    ...(form === undefined ? [] : ['--generate-code=false']),
    ...['--protect=false', '--yes'],
    ...(stack === undefined ? [] : ['--stack', stack]),
  ];
  return `pulumi import --file ${path.relative(cwd, importFile)} ${marks.join(' ')}`;
}

/** Everything that can be found out, and refused, before the service is asked. */
export async function prepare(
  options: ImportOptions,
  where: Location,
  context: CliContext,
): Promise<ImportRun> {
  const projectFolder = findProjectFolder(where.cwd) ?? where.cwd;
  const form = formFor(projectFolder, options);
  const stack = options.run ? requireStack(context, where) : undefined;
  if (stack !== undefined) await requireImportingCli(stack.cli);
  const deployment = await readDeployment(stack, where, context);
  const from = { deployment, reading: await readConfig(context, where), context };
  const target = targetOf(options, form, from);
  const account = stackAccount(target.provider ?? '', from);
  // Chosen before the earlier imports are read: of two at once, the later one either finds the other, or cannot write its own.
  const folder = path.resolve(where.cwd, options.out);
  const files = freeFiles(folder, form);
  const earlier = earlierImports(folder);
  const siblings = deployment && options.siblings ? await siblingsOf(where, context) : NO_SIBLINGS;
  const given = earlier.flatMap(({ resources }) => resources.map(({ name }) => name));
  const there = {
    managedIds: new Set(deployment && managersOf(deployment).keys()),
    elsewhere: new Map([...siblings.managers].map(([key, { stack: name }]) => [key, name])),
    names: new Set([...given, ...(deployment?.resources ?? []).map(({ urn }) => nameOfUrn(urn))]),
  };
  const hasState = deployment !== undefined;
  return { where, context, projectFolder, files, earlier, form, stack, hasState, there, account, target };
}

/** @throws UserError if one of them may manage what would be adopted. */
async function siblingsOf(where: Location, context: CliContext): Promise<Siblings> {
  const own = requireStack(context, where);
  const siblings = await readSiblings(own, [await own.name()]);
  const { unread, pending } = siblings;
  if (unread.length > 0)
    throw new UserError(
      `Another stack of the project may manage what would be adopted, and cannot be read:\n${unread.map((each) => `  ${each}\n`).join('')}` +
        `Make it readable, or pass --no-siblings if it manages none of it. Nothing was done.`,
    );
  if (pending.length > 0)
    throw new UserError(
      `A run of the stack ${pending.join(', ')} of this project was interrupted, and objects that it created may be among those to ` +
        `adopt. Run\n"${COMMAND_LINE} recover --stack ${pending[0] ?? ''}" first, then this command again. Nothing was done.`,
    );
  return siblings;
}

/** TypeScript, unless everything says JavaScript. @throws UserError with `--run` for another language: the engine writes its code. */
function formFor(projectFolder: string, { run }: ImportOptions): ProgramForm | undefined {
  const language = programLanguage(projectFolder);
  if (language !== '' && language !== 'nodejs') {
    if (run === undefined) return undefined;
    throw new UserError(
      `This is a program in ${language}, and --run works only with TypeScript and JavaScript. Run the command without --run: it ` +
        `writes the import file, and prints the "pulumi import" command that imports it and prints the code. Nothing was done.`,
    );
  }
  const isThere = (name: string) => existsSync(path.join(projectFolder, name));
  if (isThere('tsconfig.json') || !['index.js', 'index.mjs', 'index.cjs'].some(isThere)) return 'typescript';
  return /"type"\s*:\s*"module"/.test(textOfFile(path.join(projectFolder, 'package.json')))
    ? 'module'
    : 'commonjs';
}

/** The provider that the user names and its host, else the host of the stack configuration. @throws UserError if there is none. */
function targetOf(
  { provider: named }: ImportOptions,
  form: ProgramForm | undefined,
  { deployment, reading, context }: AccountSources,
): ImportTarget {
  if (named !== undefined) {
    const { urn, type } = findProvider(named, deployment);
    return { host: hostOfToken(type), provider: urn };
  }
  const chosen = settingsSources(context, reading).config(`${CONFIG_NAMESPACE}:${HOST_SETTING}`);
  return { host: form === undefined || chosen === 'native' ? 'native' : 'dynamic' };
}

/** The state; undefined if there is no stack to compare with, and none is needed. @throws UserError if it cannot be read, or is not settled. */
async function readDeployment(
  stack: Stack | undefined,
  where: Location,
  context: CliContext,
): Promise<Deployment | undefined> {
  try {
    const deployment = await (stack ?? requireStack(context, where)).deployment();
    if (deployment.pendingOperations.length === 0) return deployment;
  } catch (error) {
    // A stack that cannot be read may manage objects that would be declared a second time.
    if (!(error instanceof NoStackError) || stack !== undefined) throw error;
    context.note(`Not compared with any stack: ${error.message}\n\n`);
    return undefined;
  }
  // Objects of an interrupted run have no resource yet: adopted under another name, they would be created twice or deleted.
  throw new UserError(
    `A run of this stack was interrupted, and objects that it created may be among those to adopt. Run\n` +
      `"${COMMAND_LINE} recover" first, then the same with --yes, then this command again. Nothing was done.`,
  );
}
