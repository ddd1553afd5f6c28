import { accountOf, objectsIn } from '../../cli/src/pulumi/accounts';
import type { KeyInUse } from '../../provider/src/resources/known-account';
import { settledResources } from '../../cli/src/recover/apply-verdicts';
import { findVerdicts } from '../../cli/src/recover/verdicts';
import { beganAfter, asInState } from '../../cli/src/recover/interrupted-operations';
import type { OperationVerdict } from '../../cli/src/recover/recovery-verdict';
import type { Deployment, StateResource } from '../../cli/src/pulumi/deployment';
import { typeToken } from '../../provider/src/resources/provider-reference';
import type { Entry, Identity, PendingOperation } from '../support/stand-in-engine/entry';

const PREFIX = 'urn:pulumi:dev::project::';

const STACK_TYPE = 'pulumi:pulumi:Stack';
const STACK_URN = `${PREFIX}${STACK_TYPE}::project-dev`;

/** The URN of a provider; the name of the default one is empty. */
const providerUrn = (name = ''): string =>
  `${PREFIX}pulumi:providers:pulumi-nodejs::${name === '' ? 'default' : name}`;

const urnOf = ({ type, name }: Identity): string => `${PREFIX}${typeToken(type)}::${name}`;

/** An entry of the state, or of a pending operation, as the CLI exports it, and with it the entry itself. */
const toResource = (entry: PendingOperation['entry']): StateResource => ({
  entry,
  urn: urnOf(entry),
  type: typeToken(entry.type),
  parent: STACK_URN,
  provider: `${providerUrn(entry.provider)}::id`,
  inputs: entry.inputs,
  dependencies: entry.dependsOn ?? [],
  initErrors: entry.initErrors,
  ...(entry.aliases && { aliases: entry.aliases.map((name) => urnOf({ ...entry, name })) }),
  ...(entry.id !== undefined && { id: entry.id }),
  ...(entry.outputs && { outputs: entry.outputs }),
  ...(entry.isDoomed === true && { delete: true }),
  ...(entry.isPendingReplacement === true && { pendingReplacement: true }),
});

/** The entry that `toResource` has exported, with what a command has changed. */
const toEntry = (resource: StateResource): Entry => ({
  ...(resource['entry'] as PendingOperation['entry']),
  ...{ aliases: undefined },
  name: nameOf(resource.urn),
  id: resource.id ?? '',
  inputs: resource.inputs ?? {},
  outputs: resource.outputs ?? {},
  initErrors: (resource['initErrors'] ?? []) as readonly string[],
  isDoomed: resource.delete === true,
  isPendingReplacement: resource.pendingReplacement === true,
});

const nameOf = (urn: string): string => urn.slice(urn.lastIndexOf(':') + 1);

/** The times that recovery judges by, in milliseconds since the epoch. */
interface Past {
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
export function judge(wreck: Wreck, key: KeyInUse): Promise<OperationVerdict[]> {
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
      return [name, { ...key, objects: objectsIn(deployment.resources, name) }];
    }),
  );
  const interrupted = { deployment, operations, beganAfter: beganAfter(deployment, history) };
  return findVerdicts(interrupted, accounts, { take: [], clear: [] });
}

/** The state after the verdicts, and the names of resources to be read again. */
export function settle(
  wreck: Wreck,
  judged: readonly OperationVerdict[],
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
  pendingOperations: operations.map(({ type, entry }) => ({ type, resource: toResource(entry) })),
});
