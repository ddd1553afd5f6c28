/** The state of a stack, reduced to what the tests use. */
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
  readonly pendingReplacement?: boolean;
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
 * Our resources, by URN, without the stack itself and the providers. The engine writes independent resources in the order in
 * which their registrations arrive, which differs from run to run.
 */
export const ownResources = (state: StackState): ResourceState[] =>
  state.resources
    .filter(({ type }) => !type.startsWith('pulumi:'))
    .sort((left, right) => (left.urn < right.urn ? -1 : Number(left.urn > right.urn)));

const toState = (deployment: Deployment | undefined): StackState => ({
  resources: deployment?.resources ?? [],
  pendingOperations: deployment?.pending_operations ?? [],
});
