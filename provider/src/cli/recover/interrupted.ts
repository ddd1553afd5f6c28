import { type Deployment, parseDeployment, withoutEnvelopes } from '../pulumi/deployment';
import { isOwn } from '../pulumi/managed';
import type { Stack } from '../pulumi/stack';
import { type TimeWindow, timeWindow } from './time-window';
import type { Operation } from './verdict';

/** A stack with what interrupted runs were doing to it. */
export interface Interrupted {
  /** The state with its secrets in clear: for comparing, never to be shown or written. */
  readonly deployment: Deployment;
  readonly operations: readonly Operation[];
  /** How many interrupted operations are about resources of other packages. */
  readonly foreignCount: number;
  readonly window: TimeWindow;
}

/** Reads the pending operations of a stack. */
export async function readInterrupted(stack: Stack): Promise<Interrupted> {
  const encrypted = parseDeployment(await stack.exportText());
  const own = encrypted.pendingOperations.filter(({ resource }) => isOwn(resource));
  const foreignCount = encrypted.pendingOperations.length - own.length;
  const nothing = { stackBeganAt: NaN, operationBeganAfter: NaN };
  if (own.length === 0) return { deployment: encrypted, operations: [], foreignCount, window: nothing };
  const deployment = await stack.deployment();
  const history = await stack.cli.stackCommand(['stack', 'history', '--json', '--page-size', '100']);
  return {
    deployment,
    foreignCount,
    window: timeWindow(deployment, history),
    operations: own.map(({ type, resource }) => ({
      type,
      resource,
      inputs: clearInputs(deployment, type, resource.urn),
    })),
  };
}

function clearInputs(deployment: Deployment, type: string, urn: string): Operation['inputs'] {
  const same = deployment.pendingOperations.find(
    (pending) => pending.type === type && pending.resource.urn === urn,
  );
  return withoutEnvelopes(same?.resource.inputs ?? {}) as Operation['inputs'];
}
