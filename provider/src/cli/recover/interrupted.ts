import { UserError } from '../../errors/user-error';
import {
  type Deployment,
  parseDeployment,
  type PendingOperation,
  withoutEnvelopes,
} from '../pulumi/deployment';
import type { Stack } from '../pulumi/stack';
import { type TimeWindow, timeWindow } from './time-window';
import { type Operation, withReferences } from './judged-operation';

/** A stack with the operations that interrupted runs had begun, or may have begun. */
export interface Interrupted {
  /** `preview`: what a run whose plugin was killed may have done, of which the state notes nothing. */
  readonly source: 'pending' | 'preview';
  /** The state with its secrets in clear: for comparing, never shown or written. */
  readonly deployment: Deployment;
  readonly operations: readonly Operation[];
  readonly window: TimeWindow;
}

/** Reads the pending operations of a stack; `undefined` if there are none. */
export async function readInterrupted(stack: Stack): Promise<Interrupted | undefined> {
  const { pendingOperations } = parseDeployment(await stack.exportText());
  if (pendingOperations.length === 0) return undefined;
  const deployment = await stack.deployment();
  const history = await readHistory(stack);
  const operations = withReferences(
    pendingOperations.map(({ type, resource }, index) => ({
      type,
      resource,
      inputs: clearInputs(deployment, { type, resource, index }),
    })),
    deployment,
  );
  return { source: 'pending', deployment, operations, window: timeWindow(deployment, history) };
}

/** The finished runs of a stack, the latest first, as JSON. */
export const readHistory = (stack: Stack): Promise<string> =>
  stack.cli.stackCommand(['stack', 'history', '--json', '--page-size', '100']);

/** Two exports of one state list its operations in the same order, and several may have the same URN. */
function clearInputs(
  { pendingOperations }: Deployment,
  of: PendingOperation & { readonly index: number },
): Operation['inputs'] {
  const same = pendingOperations[of.index];
  if (same?.type !== of.type || same.resource.urn !== of.resource.urn)
    throw new UserError(
      'The state changed while it was being read; nothing was done. Run the command again.',
    );
  return withoutEnvelopes(same.resource.inputs ?? {}) as Operation['inputs'];
}
