import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import type { Location } from '../command/arguments';
import type { AlreadyThere } from '../adopt/plan-adoption';
import type { WrittenAdoption } from '../adopt/written';
import { typeOfToken } from 'pulumi-edge-policy/internal/resources/provider-reference';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { type Deployment, nameOfUrn } from '../pulumi/deployment';
import { managedIds, namesInState } from '../pulumi/managed';
import { NoStackError } from '../pulumi/pulumi-cli';
import { findProjectFolder, requireStack, type Stack } from '../pulumi/stack';
import type { CliContext } from '../command/context';
import { namesInCode } from './code-names';
import { type EarlierImport, readEarlierImports } from './earlier-imports';
import { filesNumbered, freeFiles, type OutputFiles } from '../command/output-files';
import { whyModuleStays } from './replaceable';

/** What stack, program and earlier imports contain, and where new code goes. */
export interface Situation extends AlreadyThere {
  /** The state before the import; absent if there is no stack to compare with. */
  readonly deployment?: Deployment;
  readonly earlier: readonly EarlierImport[];
  readonly files: OutputFiles;
}

/** What an import looks at before it reads the service. */
export interface Place {
  /** Given if the import must have a stack; without it, a stack is used for comparison if it can be read. */
  readonly stack: Stack | undefined;
  readonly where: Location;
  /** Where the files go. */
  readonly folder: string;
  readonly mayOverwrite: boolean;
}

/** @throws UserError if an interrupted run has to be settled first. */
export async function readSituation(place: Place, context: CliContext): Promise<Situation> {
  const { where, folder } = place;
  const deployment = await readDeployment(place, context);
  if (deployment !== undefined) requireSettled(deployment);
  const files = await chooseFiles(place, context);
  const projectFolder = findProjectFolder(where.cwd) ?? where.cwd;
  const inCode = namesInCode(projectFolder, new Set([files.program]));
  const earlier = readEarlierImports(folder).filter(({ files: { program } }) => program !== files.program);
  return {
    ...(deployment && { deployment }),
    managedIds: new Set(deployment && managedIds(deployment).keys()),
    names: new Set([...inCode, ...(deployment ? namesInState(deployment) : [])]),
    earlier,
    written: earlier.flatMap(({ resources }) => resources).filter((one) => !isInState(one, deployment)),
    files,
  };
}

async function chooseFiles(
  { where, folder, mayOverwrite }: Place,
  context: CliContext,
): Promise<OutputFiles> {
  if (!mayOverwrite) return freeFiles(folder);
  const first = filesNumbered(folder, 1);
  const projectFolder = findProjectFolder(where.cwd) ?? findProjectFolder(folder);
  const reason = await whyModuleStays(first.program, projectFolder, context);
  if (reason === undefined) return first;
  context.note(`${first.program} is not overwritten: ${reason}.\n\n`);
  return freeFiles(folder);
}

/** Without `--run` the stack is compared if there is one; if there is none, the output says so. */
async function readDeployment({ stack, where }: Place, context: CliContext): Promise<Deployment | undefined> {
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
      `"${COMMAND_LINE} recover" first, then "${COMMAND_LINE} recover --yes", then this again. Nothing was done.`,
  );
}

const isInState = ({ type, name }: WrittenAdoption, deployment?: Deployment): boolean =>
  deployment?.resources.some((entry) => typeOfToken(entry.type) === type && nameOfUrn(entry.urn) === name) ===
  true;
