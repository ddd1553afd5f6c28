import type {
  HttpsEdgeRouteUserAgentFilterModuleWire,
  IpPolicyRuleWire,
  TcpEdgeTrafficPolicyModuleWire,
} from '../api/wire';
import { compareCidrs, parseCidr } from '../values/cidr';
import { adoptTrafficPolicy, adoptUserAgentFilter } from './adopt-module';
import { adoptRule } from './adopt-rule';
import { adoptRuleSet } from './adopt-rule-set';
import { type Adoptable, type Adoption, isAdoptable, type NotAdoptable } from './adoption';
import { NameGiver } from './names';

/** What was read of the service for an adoption. */
export interface LiveObjects {
  readonly rules: readonly IpPolicyRuleWire[];
  readonly trafficPolicies: ReadonlyMap<string, TcpEdgeTrafficPolicyModuleWire>;
  readonly userAgentFilters: ReadonlyMap<string, HttpsEdgeRouteUserAgentFilterModuleWire>;
}

/** What stack and program hold already. */
export interface AlreadyThere {
  /** Ids of live objects that the stack manages. */
  readonly managedIds: ReadonlySet<string>;
  /** Names of resources, in state and in code. */
  readonly names: ReadonlySet<string>;
}

/** How the rules of a policy are declared: one resource each, or one for all. */
export type RuleForm = 'rules' | 'set';

/** More rules of one policy than this become a set, unless asked otherwise. */
const MOST_SINGLE_RULES = 20;

export interface AdoptionPlan {
  readonly adoptions: readonly Adoption[];
  readonly managed: readonly string[];
  readonly notAdoptable: readonly NotAdoptable[];
}

/** What the user wishes about form and names. */
export interface Wish {
  readonly form?: RuleForm | undefined;
  readonly namePrefix?: string | undefined;
  /** The name under which the program declares the one resource already. */
  readonly name?: string | undefined;
}

/** Decides what becomes which resource under which name; asks nobody and changes nothing. */
export function planAdoption(live: LiveObjects, there: AlreadyThere, wish: Wish): AdoptionPlan {
  const isManaged = (id: string): boolean => there.managedIds.has(id);
  const found = [
    ...adoptRules(
      inReadingOrder(live.rules.filter(({ id }) => !isManaged(id))),
      wish.name === undefined ? wish.form : 'rules',
    ),
    ...[...live.trafficPolicies]
      .filter(([id]) => !isManaged(id))
      .map(([id, it]) => adoptTrafficPolicy(id, it)),
    ...[...live.userAgentFilters]
      .filter(([id]) => !isManaged(id))
      .map(([id, it]) => adoptUserAgentFilter(id, it)),
  ];
  const names = new NameGiver(there.names, wish.namePrefix);
  const ids = [
    ...live.rules.map(({ id }) => id),
    ...live.trafficPolicies.keys(),
    ...live.userAgentFilters.keys(),
  ];
  return {
    adoptions: found
      .filter(isAdoptable)
      .map((it) => ({ ...it, name: wish.name ?? names.give(it.wantedName) })),
    managed: ids.filter(isManaged),
    notAdoptable: found.filter((it): it is NotAdoptable => !isAdoptable(it)),
  };
}

function adoptRules(
  rules: readonly IpPolicyRuleWire[],
  form: RuleForm | undefined,
): (Adoptable | NotAdoptable)[] {
  const policyIds = [...new Set(rules.map(({ ip_policy }) => ip_policy.id))];
  return policyIds.flatMap((policyId) => {
    const ofPolicy = rules.filter(({ ip_policy }) => ip_policy.id === policyId);
    const chosen = form ?? (ofPolicy.length > MOST_SINGLE_RULES ? 'set' : 'rules');
    return chosen === 'set' ? adoptRuleSet(policyId, ofPolicy) : ofPolicy.map(adoptRule);
  });
}

/** By policy and network, so that code and names come out the same whatever order the service lists rules in. */
function inReadingOrder(rules: readonly IpPolicyRuleWire[]): IpPolicyRuleWire[] {
  const parsed = rules.map((rule) => ({ rule, network: parseCidr(rule.cidr) }));
  parsed.sort((left, right) => {
    const [policy, other] = [left.rule.ip_policy.id, right.rule.ip_policy.id];
    if (policy !== other) return policy < other ? -1 : 1;
    if (left.network.ok && right.network.ok) {
      const order = compareCidrs(left.network.cidr, right.network.cidr);
      if (order !== 0) return order;
    }
    if (left.network.ok !== right.network.ok) return left.network.ok ? -1 : 1;
    return left.rule.id < right.rule.id ? -1 : 1;
  });
  return parsed.map(({ rule }) => rule);
}
