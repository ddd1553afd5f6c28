import { type Deployment, type StateResource, withoutEnvelopes } from '../pulumi/deployment';
import { type PrintedRun, printedRuns } from '../pulumi/run-history';
import type { Stack } from '../pulumi/stack';

export interface Operation {
  readonly type: string;
  /** The resource as the operation had it, its secrets marked: what goes back into the state, where the CLI encrypts them. */
  readonly resource: StateResource;
  /** Its inputs in clear: for comparing, never shown or written. */
  readonly inputs: Readonly<Record<string, unknown>>;
}

export interface Interrupted {
  /** The state with its secrets in clear: for comparing, never shown or written. */
  readonly deployment: Deployment;
  readonly operations: readonly Operation[];
  /** The earliest time at which they can have begun, in epoch milliseconds of this machine's clock; NaN if not known. */
  readonly beganAfter: number;
}

export async function readInterrupted(stack: Stack): Promise<Interrupted> {
  const deployment = await stack.deployment();
  const operations = deployment.pendingOperations.map(({ type, resource }) => ({
    ...{ type, resource },
    inputs: withoutEnvelopes(resource.inputs ?? {}) as Operation['inputs'],
  }));
  return {
    deployment,
    operations: asInState(operations, deployment),
    beganAfter: beganAfter(deployment, await printedRuns(stack, 100)),
  };
}

/** Pending operations carry no time. They began after the last successful run, which left none, or after the stack itself. */
export function beganAfter(
  { resources }: Deployment,
  history: readonly Pick<PrintedRun, 'kind' | 'result' | 'endTime'>[],
): number {
  const ends = history
    .filter(({ kind, result }) => (kind === 'update' || kind === 'destroy') && result === 'succeeded')
    .map(({ endTime }) => Date.parse(endTime ?? ''))
    .filter((end) => !Number.isNaN(end));
  const stack = resources.find(({ type }) => type === 'pulumi:pulumi:Stack');
  return ends.length === 0 ? Date.parse(stack?.created ?? '') : Math.max(...ends);
}

/** A resource that is renamed with an alias is updated under its new name, and has the former one in the state until that is done. */
export function asInState(
  operations: readonly Operation[],
  { resources }: Pick<Deployment, 'resources'>,
): Operation[] {
  const names = new Set(resources.filter((entry) => entry.delete !== true).map(({ urn }) => urn));
  return operations.map((operation) => {
    const { type, resource } = operation;
    if (type !== 'updating' || names.has(resource.urn)) return operation;
    const urn = (resource.aliases ?? []).find((alias) => names.has(alias));
    return urn === undefined ? operation : { ...operation, resource: { ...resource, urn } };
  });
}

/** The live resource of the state with the name of an operation. */
export const entryOf = ({ resource }: Operation, { resources }: Deployment): StateResource | undefined =>
  resources.find(({ urn, delete: isDoomed }) => urn === resource.urn && isDoomed !== true);

/** An interrupted replacement is not in state: it carries the creation time of the resource that it replaces, which is there instead. */
export function isInState(operation: Operation, deployment: Deployment): boolean {
  const entry = entryOf(operation, deployment);
  return operation.resource.created === undefined && entry !== undefined && !entry.pendingReplacement;
}
