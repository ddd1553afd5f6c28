import type {
  ExclusiveSet,
  RuleDeclaration,
  Snapshot,
  TrafficPolicyDeclaration,
  UserAgentFilterDeclaration,
} from './declarations';
import { valueOf } from './known';
import { readTrafficPolicy, readUserAgentFilter } from './read-modules';
import { readRule, readRuleSet, readText } from './read-rules';
import type { ResourceChange, ResourceSide } from './resource-change';

/** The stack as it is and as it is wanted. */
export interface StackChange {
  readonly changes: readonly ResourceChange[];
  readonly before: Snapshot;
  readonly after: Snapshot;
}

/** Reads both sides of every change. */
export function stackChangeOf(changes: readonly ResourceChange[]): StackChange {
  return {
    changes,
    before: snapshotOf(changes.flatMap((change) => change.before ?? [])),
    after: snapshotOf(changes.flatMap((change) => [change.after ?? [], change.left ?? []].flat())),
  };
}

/** What the resources of one side declare. */
export function snapshotOf(resources: readonly ResourceSide[]): Snapshot {
  const rules: RuleDeclaration[] = [];
  const trafficPolicies: TrafficPolicyDeclaration[] = [];
  const userAgentFilters: UserAgentFilterDeclaration[] = [];
  const exclusivePolicyIds: string[] = [];
  const exclusiveSets: ExclusiveSet[] = [];
  for (const { origin, inputs } of resources) {
    if (origin.type === 'IpPolicyRule') rules.push(readRule(origin, inputs));
    else if (origin.type === 'TcpEdgeTrafficPolicyModule')
      trafficPolicies.push(readTrafficPolicy(origin, inputs));
    else if (origin.type === 'HttpsEdgeRouteUserAgentFilterModule')
      userAgentFilters.push(readUserAgentFilter(origin, inputs));
    else {
      for (const rule of readRuleSet(origin, inputs)) rules.push(rule);
      const policyId = readText(inputs['ipPolicyId']);
      const { exclusive = false } = inputs;
      if (exclusive === true) exclusivePolicyIds.push(...[valueOf(policyId) ?? []].flat());
      if (exclusive !== false) exclusiveSets.push({ origin, urn: origin.urn, policyId });
    }
  }
  return { rules, trafficPolicies, userAgentFilters, exclusivePolicyIds, exclusiveSets };
}
