import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import type { AlreadyThere } from '../adopt/plan-adoption';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { type Deployment, nameOfUrn } from '../pulumi/deployment';
import { managedIds } from '../pulumi/managed';
import { NoStackError } from '../pulumi/pulumi-cli';
import { requireStack, type Stack } from '../pulumi/stack';
import type { Location } from '../command/arguments';
import type { CliContext } from '../command/context';

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
