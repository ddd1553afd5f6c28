import type { ApiClient } from '../../provider/src/api/client';
import { settledResources } from '../../provider/src/cli/recover/apply-verdicts';
import type { Interrupted } from '../../provider/src/cli/recover/interrupted';
import { judgeAll } from '../../provider/src/cli/recover/judge';
import { timeWindow } from '../../provider/src/cli/recover/time-window';
import { type JudgedOperation, withReferences } from '../../provider/src/cli/recover/judged-operation';
import type { Deployment, StateResource } from '../../provider/src/cli/pulumi/deployment';
import { type ResourceType, typeToken } from '../../provider/src/resources/provider-reference';
import type { Entry, PendingOperation } from '../support/stand-in-engine';

/** The times that recovery judges by, in milliseconds since the epoch. */
export interface Past {
  readonly stackBeganAt: number;
  /** The ends of the successful runs. */
  readonly successes: readonly number[];
}

/** The input of `edge-policy recover`. */
export interface Wreck {
  readonly source: Interrupted['source'];
  readonly entries: readonly Entry[];
  readonly operations: readonly PendingOperation[];
  readonly past: Past;
  readonly nowMs: number;
}

const PROVIDER = 'urn:pulumi:dev::sim::pulumi:providers:pulumi-nodejs::default';

/** The verdicts of `edge-policy recover`, by the judging functions of the command itself. */
export function judge(wreck: Wreck, client: ApiClient, take: readonly string[]): Promise<JudgedOperation[]> {
  const deployment = deploymentOf(wreck);
  const history = wreck.past.successes.map((endTime) => ({
    kind: 'update',
    result: 'succeeded',
    endTime: new Date(endTime).toISOString(),
  }));
  const window = timeWindow(deployment, JSON.stringify(history));
  const operations = withReferences(wreck.operations.map(toOperation), deployment);
  const clients = new Map([[PROVIDER, client]]);
  return judgeAll({ source: wreck.source, deployment, operations, window }, clients, { take, clear: [] });
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
  return { entries: resources.filter(({ type }) => type !== STACK).map(toEntry), toRefresh };
}

const STACK = 'pulumi:pulumi:Stack';

const deploymentOf = ({ entries, operations, past, nowMs }: Wreck): Deployment => ({
  manifest: { time: new Date(nowMs).toISOString() },
  resources: [
    { type: STACK, urn: 'urn:pulumi:dev::sim::x::stack', created: new Date(past.stackBeganAt).toISOString() },
    ...entries.map(toResource),
  ],
  pendingOperations: operations.map(({ type, entry }) => ({ type, resource: toResource(entry) })),
});

const toOperation = ({ type, entry }: PendingOperation) => ({
  type,
  resource: toResource(entry),
  inputs: entry.inputs,
});

const urnOf = (type: ResourceType, name: string): string =>
  `urn:pulumi:dev::sim::${typeToken(type)}::${name}`;

const toResource = (entry: PendingOperation['entry']): StateResource => ({
  urn: urnOf(entry.type, entry.name),
  type: typeToken(entry.type),
  provider: `${PROVIDER}::id`,
  inputs: entry.inputs,
  dependencies: entry.dependsOn ?? [],
  initErrors: entry.initErrors,
  ...(entry.aliases === undefined ? {} : { aliases: entry.aliases.map((name) => urnOf(entry.type, name)) }),
  ...(entry.id === undefined ? {} : { id: entry.id }),
  ...(entry.outputs === undefined ? {} : { outputs: entry.outputs }),
  ...(entry.isDoomed === true ? { delete: true } : {}),
  ...(entry.isPendingReplacement === true ? { pendingReplacement: true } : {}),
});

const nameOf = (urn: string): string => urn.slice(urn.lastIndexOf(':') + 1);

const toEntry = (resource: StateResource): Entry => ({
  type: resource.type.slice(resource.type.lastIndexOf(':') + 1) as ResourceType,
  name: nameOf(resource.urn),
  id: resource.id ?? '',
  inputs: resource.inputs ?? {},
  outputs: resource.outputs ?? {},
  initErrors: (resource['initErrors'] ?? []) as readonly string[],
  dependsOn: resource.dependencies ?? [],
  ...(resource.delete === true ? { isDoomed: true } : {}),
  ...(resource.pendingReplacement === true ? { isPendingReplacement: true } : {}),
});
