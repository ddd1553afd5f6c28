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

/** A stack with what interrupted runs were doing to it, or may have been. */
export interface Interrupted {
  /** `preview`: what a run whose plugin was killed may have done; nothing of it is noted in the state. */
  readonly source: 'pending' | 'preview';
  /** The state with its secrets in clear: for comparing, never to be shown or written. */
  readonly deployment: Deployment;
  readonly operations: readonly Operation[];
  readonly window: TimeWindow;
}

/** Reads the pending operations of a stack; `undefined` where there are none. */
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

/** The finished runs of a stack, the youngest first, as JSON. */
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
