import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { type Deployment, isOpenReplacement, SHOWN_SECRET } from '../pulumi/deployment';
import { isOwn, shortType } from '../pulumi/managed';
import { type PlannedStep, readPreview } from '../pulumi/preview';
import type { Stack } from '../pulumi/stack';
import { providerUrn } from '../pulumi/accounts';
import {
  beganAfter,
  type Interrupted,
  type Operation,
  readHistory,
  withReferences,
} from './interrupted-operations';

/**
 * What the last run may have done without noting it. If the plugin dies and the CLI lives on, the engine considers the
 * operation failed and forgets it: only what the program still wants to do shows what it was.
 *
 * @throws UserError if the preview fails, or if operations are pending.
 */
export async function readFailedRun(stack: Stack): Promise<Interrupted> {
  const deployment = await stack.deployment();
  if (deployment.pendingOperations.length > 0) {
    throw new UserError('Operations are pending: settle them first, without --failed-run.');
  }
  const history = await readHistory(stack);
  const planned = (await readPreview(stack)).flatMap((step) => operationOf(step, deployment));
  return {
    source: 'preview',
    deployment,
    operations: withReferences(planned, deployment),
    beganAfter: beganAfter(deployment, history),
  };
}

function operationOf({ op, newState }: PlannedStep, deployment: Deployment): Omit<Operation, 'reference'>[] {
  if (newState === undefined || !isOwn(newState) || newState.external === true) return [];
  // An account that the state does not mention has never been worked on.
  if (deployment.resources.every(({ urn }) => urn !== providerUrn(newState.provider))) return [];
  const isCreate =
    op === 'create' || (op === 'create-replacement' && isOpenReplacement(deployment, newState.urn));
  const isSetUpdate = op === 'update' && shortType(newState.type) === 'IpPolicyRuleSet';
  if (!isCreate && !isSetUpdate) return [];
  const { inputs = {} } = newState;
  return [{ type: isCreate ? 'creating' : 'updating', resource: newState, inputs, hidden: hiddenIn(inputs) }];
}

const hiddenIn = (inputs: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(inputs).filter((name) => JSON.stringify(inputs[name]).includes(SHOWN_SECRET));
