import type { ServiceRule } from 'pulumi-edge-policy/internal/rule/rule';
import { adoptModule } from './adopt-module';
import { adoptRule, adoptRuleSet } from './adopt-rule';
import { type Adoptable, type Adoption, isAdoptable, type LiveObjects, type NotAdoptable } from './adoption';
import { NameGiver } from './names';

/** What the stack already has. */
export interface AlreadyThere {
  /** The keys of live objects that the stack manages; see `liveKey`. */
  readonly managedIds: ReadonlySet<string>;
  /** The other stack of the project that manages a live object, by its key. */
  readonly elsewhere: ReadonlyMap<string, string>;
  /** Names of resources in the state. */
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
  /** The keys of those that another stack of the project manages, each with its name. */
  readonly managedElsewhere: readonly (readonly [key: string, stack: string])[];
  readonly notAdoptable: readonly NotAdoptable[];
}

/** Decides which live object becomes which resource under which name; a pure function. */
export function planAdoption(live: LiveObjects, there: AlreadyThere, form?: RuleForm): AdoptionPlan {
  const isManaged = (id: string): boolean => there.managedIds.has(id) || there.elsewhere.has(id);
  const found = [
    ...adoptRules(inReadingOrder(live.rules.filter(({ id }) => !isManaged(id))), form),
    ...[...live.modules].flatMap(([key, module]) => (isManaged(key) ? [] : adoptModule(module))),
  ];
  const keys = [...live.rules.map(({ id }) => id), ...live.modules.keys()];
  const names = new NameGiver(there.names);
  return {
    adoptions: found.filter(isAdoptable).map((it) => ({ ...it, name: names.give(it.wantedName) })),
    managed: keys.filter((key) => there.managedIds.has(key)),
    managedElsewhere: keys.flatMap((key) => {
      const stack = there.elsewhere.get(key);
      return stack === undefined || there.managedIds.has(key) ? [] : [[key, stack] as const];
    }),
    notAdoptable: found.filter((it): it is NotAdoptable => !isAdoptable(it)),
  };
}

function adoptRules(rules: readonly ServiceRule[], form: RuleForm | undefined): (Adoptable | NotAdoptable)[] {
  const policyIds = [...new Set(rules.map(({ ipPolicyId }) => ipPolicyId))];
  return policyIds.flatMap((policyId) => {
    const ofPolicy = rules.filter(({ ipPolicyId }) => ipPolicyId === policyId);
    const chosen = form ?? (ofPolicy.length > MOST_SINGLE_RULES ? 'set' : 'rules');
    return chosen === 'set' ? adoptRuleSet(policyId, ofPolicy) : ofPolicy.map(adoptRule);
  });
}

/** Sorted by policy and network, so that code and names do not depend on the order in which the service lists rules. */
const inReadingOrder = (rules: readonly ServiceRule[]): ServiceRule[] =>
  [...rules].sort((one, other) => byNumbers.compare(placeOf(one), placeOf(other)));

const byNumbers = new Intl.Collator('en', { numeric: true });

const placeOf = ({ ipPolicyId, cidr, id }: ServiceRule): string =>
  `${ipPolicyId} ${cidr.includes(':') ? 'IPv6' : 'IPv4'} ${cidr} ${id}`;
