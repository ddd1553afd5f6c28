/** The state of a stack, as far as the tests look at it. */
export interface StackState {
  readonly resources: readonly ResourceState[];
  readonly pendingOperations: readonly { readonly type: string; readonly resource: ResourceState }[];
}

export interface ResourceState {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
  readonly initErrors?: readonly string[];
  readonly protect?: boolean;
  readonly taint?: boolean;
  readonly delete?: boolean;
}

interface Deployment {
  readonly resources?: readonly ResourceState[];
  readonly pending_operations?: StackState['pendingOperations'];
}

/** Reads the state file of a file backend. */
export const parseCheckpoint = (text: string): StackState => {
  const { checkpoint } = JSON.parse(text) as { checkpoint: { latest?: Deployment } };
  return toState(checkpoint.latest);
};

/** Reads what `pulumi stack export` prints. */
export const parseExport = (text: string): StackState => {
  const { deployment } = JSON.parse(text) as { deployment?: Deployment };
  return toState(deployment);
};

/**
 * The resources of ours, by URN: the stack itself and the providers are left out. The engine writes resources that do
 * not depend on each other in the order in which their registrations reach it, which differs from run to run.
 */
export const ownResources = (state: StackState): ResourceState[] =>
  state.resources
    .filter(({ type }) => !type.startsWith('pulumi:'))
    .sort((left, right) => (left.urn < right.urn ? -1 : Number(left.urn > right.urn)));

const toState = (deployment: Deployment | undefined): StackState => ({
  resources: deployment?.resources ?? [],
  pendingOperations: deployment?.pending_operations ?? [],
});
