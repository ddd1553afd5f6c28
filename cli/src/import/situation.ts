import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import type { AlreadyThere } from '../adopt/plan-adoption';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { type Deployment, nameOfUrn } from '../pulumi/deployment';
import { managedIds } from '../pulumi/managed';
import { NoStackError } from '../pulumi/pulumi-cli';
import { findProjectFolder, requireStack, type Stack } from '../pulumi/stack';
import type { Location } from '../command/arguments';
import type { CliContext } from '../command/context';
import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** What stack and program contain before an import. */
export interface Situation extends AlreadyThere {
  /** The state; absent if there is no stack to compare with. */
  readonly deployment?: Deployment;
}

/**
 * Reads state and sources. Without a stack that the import needs, the selected one is used for comparison if there is one.
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
  const inState = (deployment?.resources ?? []).map(({ urn }) => nameOfUrn(urn));
  const inCode = namesInCode(findProjectFolder(where.cwd) ?? where.cwd);
  return {
    ...(deployment && { deployment }),
    managedIds: new Set(deployment && managedIds(deployment).keys()),
    names: new Set([...inCode, ...inState]),
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

const SOURCE = /\.[cm]?[jt]sx?$/;
const FOREIGN_FOLDERS = new Set(['node_modules', 'dist', 'build', 'coverage']);
const LARGEST_SOURCE_BYTES = 5_000_000;

/**
 * Every quoted word of a project's own sources, among them the names of resources that are declared but not in state yet. Names
 * that a program puts together at run time cannot be seen.
 */
function namesInCode(projectFolder: string): string[] {
  return [...sourceFiles(projectFolder)]
    .filter((file) => statSync(file).size <= LARGEST_SOURCE_BYTES)
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/(["'`])([^\s"'`\\$]{1,200})\1/g)])
    .map(([, , word = '']) => word);
}

function* sourceFiles(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const location = path.join(folder, entry.name);
    if (isOwnFolder(entry)) yield* sourceFiles(location);
    else if (entry.isFile() && SOURCE.test(entry.name)) yield location;
  }
}

const isOwnFolder = (entry: Dirent): boolean =>
  entry.isDirectory() && !entry.name.startsWith('.') && !FOREIGN_FOLDERS.has(entry.name);
