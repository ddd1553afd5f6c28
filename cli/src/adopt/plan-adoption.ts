import type { ServiceRule } from 'pulumi-edge-policy/internal/rule/rule';
import { compareCidrs, parseCidr } from 'pulumi-edge-policy/internal/values/cidr';
import { adoptModule } from './adopt-module';
import { adoptRule, adoptRuleSet } from './adopt-rule';
import { type Adoptable, type Adoption, isAdoptable, type LiveObjects, type NotAdoptable } from './adoption';
import { NameGiver } from './names';

/** What stack and program already have. */
export interface AlreadyThere {
  /** The keys of live objects that the stack manages; see `liveKey`. */
  readonly managedIds: ReadonlySet<string>;
  /** Names of resources in the state, and in files of earlier imports. */
  readonly names: ReadonlySet<string>;
}

/** How the rules of a policy are declared: one resource each, or one for all. */
export type RuleForm = 'rules' | 'set';

/** More rules of one policy than this become a set, unless asked otherwise. */
const MOST_SINGLE_RULES = 20;

export interface AdoptionPlan {
  readonly adoptions: readonly Adoption[];
  /** The keys of the live objects that the stack manages already; see `liveKey`. */
  readonly managed: readonly string[];
  readonly notAdoptable: readonly NotAdoptable[];
}

/** Decides which live object becomes which resource under which name; a pure function. */
export function planAdoption(live: LiveObjects, there: AlreadyThere, form?: RuleForm): AdoptionPlan {
  const isManaged = (id: string): boolean => there.managedIds.has(id);
  const isFree = (id: string): boolean => !isManaged(id);
  const unmanaged = {
    rules: live.rules.filter(({ id }) => isFree(id)),
    modules: new Map([...live.modules].filter(([key]) => isFree(key))),
  };
  const found = adoptAll(unmanaged, form);
  const names = new NameGiver(there.names);
  return {
    adoptions: found.filter(isAdoptable).map((it) => ({ ...it, name: names.give(it.wantedName) })),
    managed: idsOf(live).filter(isManaged),
    notAdoptable: found.filter((it): it is NotAdoptable => !isAdoptable(it)),
  };
}

const idsOf = ({ rules, modules }: LiveObjects): string[] => [
  ...rules.map(({ id }) => id),
  ...modules.keys(),
];

const adoptAll = (
  { rules, modules }: LiveObjects,
  form: RuleForm | undefined,
): (Adoptable | NotAdoptable)[] => [
  ...adoptRules(inReadingOrder(rules), form),
  ...[...modules.values()].map(adoptModule),
];

function adoptRules(rules: readonly ServiceRule[], form: RuleForm | undefined): (Adoptable | NotAdoptable)[] {
  const policyIds = [...new Set(rules.map(({ ipPolicyId }) => ipPolicyId))];
  return policyIds.flatMap((policyId) => {
    const ofPolicy = rules.filter(({ ipPolicyId }) => ipPolicyId === policyId);
    const chosen = form ?? (ofPolicy.length > MOST_SINGLE_RULES ? 'set' : 'rules');
    return chosen === 'set' ? adoptRuleSet(policyId, ofPolicy) : ofPolicy.map(adoptRule);
  });
}

/** Sorted by policy and network, so that code and names do not depend on the order in which the service lists rules. */
function inReadingOrder(rules: readonly ServiceRule[]): ServiceRule[] {
  const parsed = rules.map((rule) => ({ rule, network: parseCidr(rule.cidr) }));
  parsed.sort((left, right) => {
    const [policy, other] = [left.rule.ipPolicyId, right.rule.ipPolicyId];
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
