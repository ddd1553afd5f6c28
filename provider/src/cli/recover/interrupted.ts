import { type Deployment, parseDeployment, withoutEnvelopes } from '../pulumi/deployment';
import type { Stack } from '../pulumi/stack';
import { type TimeWindow, timeWindow } from './time-window';
import type { Operation } from './verdict';

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
  const operations = pendingOperations.map(({ type, resource }) => ({
    type,
    resource,
    inputs: clearInputs(deployment, type, resource.urn),
  }));
  return { source: 'pending', deployment, operations, window: timeWindow(deployment, history) };
}

/** The finished runs of a stack, the youngest first, as JSON. */
export const readHistory = (stack: Stack): Promise<string> =>
  stack.cli.stackCommand(['stack', 'history', '--json', '--page-size', '100']);

function clearInputs(deployment: Deployment, type: string, urn: string): Operation['inputs'] {
  const same = deployment.pendingOperations.find((one) => one.type === type && one.resource.urn === urn);
  return withoutEnvelopes(same?.resource.inputs ?? {}) as Operation['inputs'];
}
