import { accountOf, heldIn } from '../../cli/src/pulumi/accounts';
import type { KeyInUse } from '../../provider/src/resources/known-account';
import { settledResources } from '../../cli/src/recover/apply-verdicts';
import { judgeAll } from '../../cli/src/recover/judge';
import { beganAfter, asInState } from '../../cli/src/recover/interrupted-operations';
import type { JudgedOperation } from '../../cli/src/recover/recovery-verdict';
import type { Deployment } from '../../cli/src/pulumi/deployment';
import type { Entry, PendingOperation } from '../support/stand-in-engine';
import {
  nameOf,
  STACK_TYPE,
  STACK_URN,
  toEntry,
  toOperation,
  toResource,
} from '../support/stand-in-engine/deployment';

/** The times that recovery judges by, in milliseconds since the epoch. */
export interface Past {
  readonly stackBeganAt: number;
  /** The ends of the successful runs. */
  readonly successes: readonly number[];
}

/** The input of `recover`. */
export interface Wreck {
  readonly entries: readonly Entry[];
  readonly operations: readonly PendingOperation[];
  readonly past: Past;
  readonly nowMs: number;
}

/** The verdicts of `recover`, by the judging functions of the command itself. */
export function judge(wreck: Wreck, key: KeyInUse): Promise<JudgedOperation[]> {
  const deployment = deploymentOf(wreck);
  const history = wreck.past.successes.map((endTime) => ({
    kind: 'update',
    result: 'succeeded',
    endTime: new Date(endTime).toISOString(),
  }));
  const operations = asInState(
    deployment.pendingOperations.map((one) => ({ ...one, inputs: { ...one.resource.inputs } })),
    deployment,
  );
  const accounts = new Map(
    operations.map(({ resource }) => {
      const name = accountOf(resource);
      return [name, { ...key, held: heldIn(deployment.resources, name) }];
    }),
  );
  const interrupted = {
    deployment,
    operations,
    beganAfter: beganAfter(deployment, history),
  };
  return judgeAll(interrupted, accounts, { take: [], clear: [] });
}

/** The state after the verdicts, and the names of resources to be read again. */
export function settle(
  wreck: Wreck,
  judged: readonly JudgedOperation[],
): { readonly entries: readonly Entry[]; readonly toRefresh: readonly string[] } {
  const now = new Date(wreck.nowMs).toISOString();
  const resources = settledResources(deploymentOf(wreck).resources, judged, now);
  const toRefresh = judged
    .filter(({ verdict }) => verdict.kind === 'refresh')
    .map(({ operation }) => nameOf(operation.resource.urn));
  return { entries: resources.filter(({ type }) => type !== STACK_TYPE).map(toEntry), toRefresh };
}

const deploymentOf = ({ entries, operations, past, nowMs }: Wreck): Deployment => ({
  manifest: { time: new Date(nowMs).toISOString() },
  resources: [
    { type: STACK_TYPE, urn: STACK_URN, created: new Date(past.stackBeganAt).toISOString() },
    ...entries.map(toResource),
  ],
  pendingOperations: operations.map(toOperation),
});
