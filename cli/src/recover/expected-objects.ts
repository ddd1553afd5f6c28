import type { ApiClient } from 'pulumi-edge-policy/internal/api/client';
import { changedFields } from 'pulumi-edge-policy/internal/fields/field';
import { liveModule, moduleIdOf, moduleState } from 'pulumi-edge-policy/internal/resources/module-kind';
import { moduleKind } from 'pulumi-edge-policy/internal/resources/modules';
import {
  isModuleType,
  liveKey,
  type ModuleType,
  typeOfToken,
} from 'pulumi-edge-policy/internal/resources/provider-reference';
import {
  isSameInPolicy,
  nameWithAge,
  networkKey,
  type PolicyRule,
  type ServiceRule,
} from 'pulumi-edge-policy/internal/rule/rule';
import { liveRulesInState, type RulesInState } from 'pulumi-edge-policy/internal/rule-set/rules-text';
import { declaredRules, type IpPolicyRuleSetInputs } from 'pulumi-edge-policy/internal/rule-set/set-state';
import { stillLive } from 'pulumi-edge-policy/internal/presence/live-rules';
import { isCreatedSince } from 'pulumi-edge-policy/internal/run/rule-search';
import { serviceNowMs } from 'pulumi-edge-policy/internal/presence/service-times';
import { grouped } from 'pulumi-edge-policy/internal/values/grouped';
import {
  type Deployment,
  type StateResource,
  withoutEnvelopes,
  isOfRules,
  managersOf,
  shortType,
  withoutSecretsOf,
} from '../pulumi/deployment';
import { readRules } from '../pulumi/live-objects';
import { entryOf, type Interrupted, type Operation } from './interrupted-operations';

/** A live object that no resource manages, in the place of one that an operation should have created. */
export interface Candidate {
  /** Names it among all live objects; see `liveKey`. */
  readonly key: string;
  /** Names it for `--take`. */
  readonly id: string;
  readonly inWords: string;
  readonly live: { readonly rule: ServiceRule } | { readonly module: object };
  /** Whether all its values are as expected; if not, it may have been edited since. */
  readonly isSame: boolean;
  /** Whether it may have existed before the operation began. */
  readonly isTooOld: boolean;
}

/** One object that an operation should have created: a rule, a rule of a set, or a module. */
export interface ExpectedObject {
  readonly operation: Operation;
  readonly candidates: readonly Candidate[];
}

/** Finds what operations of one account should have created. The list is read in any case: a service that is down settles nothing. */
export async function expectedObjects(
  operations: readonly Operation[],
  client: ApiClient,
  { deployment, beganAfter }: Pick<Interrupted, 'deployment' | 'beganAfter'>,
): Promise<ExpectedObject[]> {
  const policyIds = operations.flatMap(({ inputs: { ipPolicyId } }) =>
    typeof ipPolicyId === 'string' ? ipPolicyId : [],
  );
  const rules = await readRules(client, { policyIds });
  const beganAtMs = beganAfter + serviceNowMs(client) - client.clock.epochMs();
  const ofRules = operations.filter(({ resource }) => isOfRules(resource));
  const expected = await withoutGone(expectedRules(ofRules, rules, { beganAtMs, deployment }), client);
  for (const operation of operations) {
    const type = typeOfToken(operation.resource.type);
    if (type !== undefined && isModuleType(type))
      expected.push(await expectedModule(type, operation, { client, managed: managersOf(deployment) }));
  }
  return expected;
}

async function withoutGone(
  expected: readonly ExpectedObject[],
  client: ApiClient,
): Promise<ExpectedObject[]> {
  const ruleOf = ({ live }: Candidate): ServiceRule[] => ('rule' in live ? [live.rule] : []);
  const listed = new Set(expected.flatMap(({ candidates }) => candidates.flatMap(ruleOf)));
  const rules = await stillLive([...listed], { client, deadline: client.startBulkWork() });
  const live = new Set(rules.map(({ id }) => id));
  return expected.map(({ operation, candidates }) => ({
    operation,
    candidates: candidates.filter(({ id }) => live.has(id)),
  }));
}

export const isSet = ({ resource }: Pick<Operation, 'resource'>): boolean =>
  shortType(resource.type) === 'IpPolicyRuleSet';

/** The rules that operations should have created, of those of an account; `beganAtMs` is by the clock of the service. */
export function expectedRules(
  operations: readonly Operation[],
  rules: readonly ServiceRule[],
  { beganAtMs, deployment }: { readonly beganAtMs: number; readonly deployment: Deployment },
): ExpectedObject[] {
  const managed = managersOf(deployment);
  const free = rules.filter(({ id }) => !managed.has(id));
  const byNetwork = grouped(free, networkKey);
  const candidate = (rule: ServiceRule, wanted: PolicyRule, { resource }: Operation): Candidate => ({
    ...{ key: rule.id, id: rule.id, inWords: nameWithAge(withoutSecretsOf(resource, rule)) },
    ...{ live: { rule }, isSame: isSameInPolicy(rule, wanted) },
    isTooOld: !isCreatedSince(rule.createdAt, beganAtMs),
  });
  return operations.flatMap((operation) =>
    wantedRules(operation, entryOf(operation, deployment), rules).map((wanted) => ({
      operation,
      candidates: (byNetwork.get(networkKey(wanted)) ?? []).map((rule) => candidate(rule, wanted, operation)),
    })),
  );
}

/** The rules that an operation should have created: an update of a set, those whose networks it did not have before. */
function wantedRules(
  operation: Operation,
  entry: StateResource | undefined,
  live: readonly ServiceRule[],
): PolicyRule[] {
  if (!isSet(operation)) return [operation.inputs as unknown as PolicyRule];
  const inputs = operation.inputs as unknown as IpPolicyRuleSetInputs;
  const noted = new Set(operation.type === 'updating' ? notedRules(entry).map(({ id }) => id) : []);
  const present = new Set(live.filter(({ id }) => noted.has(id)).map(({ cidr }) => cidr));
  return declaredRules(inputs)
    .filter(({ cidr }) => !present.has(cidr))
    .map((rule) => ({ ...rule, ipPolicyId: inputs.ipPolicyId }));
}

export const notedRules = (entry: StateResource | undefined): ReturnType<typeof liveRulesInState> =>
  liveRulesInState(withoutEnvelopes(entry?.outputs ?? {}) as Partial<RulesInState>);

async function expectedModule(
  type: ModuleType,
  operation: Operation,
  { client, managed }: { readonly client: ApiClient; readonly managed: ReadonlyMap<string, StateResource> },
): Promise<ExpectedObject> {
  const { inputs } = operation;
  const kind = moduleKind(type);
  const id = moduleIdOf(kind, inputs) ?? '';
  const key = liveKey(type, id);
  const live = managed.has(key) ? undefined : await liveModule(kind, client, id);
  if (live === undefined) return { operation, candidates: [] };
  const module = moduleState(kind, live, inputs);
  const isSame = changedFields(kind.fields, module, inputs).length === 0;
  if (!isSame && kind.isEmpty(live)) return { operation, candidates: [] };
  return { operation, candidates: [{ key, id, inWords: key, live: { module }, isSame, isTooOld: false }] };
}
