import {
  type ServiceRule,
  detailsOf,
  ipPolicyRuleFields,
  ipPolicyRuleState,
  type LiveRule,
} from 'pulumi-edge-policy/internal/rule/rule';
import {
  type Adoptable,
  type Adoption,
  isAdoptable,
  type LiveObjects,
  type NotAdoptable,
  resourceInState,
  type LiveModule,
} from './adoption';
import { NameGiver, nameFromCidr, nameFromText, shortId } from './names';
import { createHash } from 'node:crypto';
import { ipPolicyRuleSetFields } from 'pulumi-edge-policy/internal/resources/ip-policy-rule-set';
import { parseRules } from 'pulumi-edge-policy/internal/rule-set/rules-text';
import { ruleSetState } from 'pulumi-edge-policy/internal/rule-set/set-state';
import { fieldsOf, type Properties } from 'pulumi-edge-policy/internal/fields/field';
import { grouped } from 'pulumi-edge-policy/internal/values/grouped';
import {
  identityOf,
  type ModuleKind,
  moduleIdOf,
  moduleState,
  moduleSummary,
  parentName,
} from 'pulumi-edge-policy/internal/resources/module-kind';
import { moduleKind } from 'pulumi-edge-policy/internal/resources/modules';
import { liveKey } from 'pulumi-edge-policy/internal/resources/provider-reference';

export interface AlreadyThere {
  /** The keys of live objects that the stack manages; see `liveKey`. */
  readonly managedIds: ReadonlySet<string>;
  /** The other stack of the project that manages a live object, by its key. */
  readonly elsewhere: ReadonlyMap<string, string>;
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
  const candidates = [
    ...adoptRules(inReadingOrder(live.rules.filter(({ id }) => !isManaged(id))), form),
    ...[...live.modules].flatMap(([key, module]) => (isManaged(key) ? [] : adoptModule(module))),
  ];
  const keys = [...live.rules.map(({ id }) => id), ...live.modules.keys()];
  const names = new NameGiver(there.names);
  return {
    adoptions: candidates.filter(isAdoptable).map((it) => ({ ...it, name: names.give(it.wantedName) })),
    managed: keys.filter((key) => there.managedIds.has(key)),
    managedElsewhere: keys.flatMap((key) => {
      const stack = there.elsewhere.get(key);
      return stack === undefined || there.managedIds.has(key) ? [] : [[key, stack] as const];
    }),
    notAdoptable: candidates.filter((it): it is NotAdoptable => !isAdoptable(it)),
  };
}

function adoptRules(rules: readonly ServiceRule[], form: RuleForm | undefined): (Adoptable | NotAdoptable)[] {
  return [...grouped(rules, ({ ipPolicyId }) => ipPolicyId)].flatMap(([policyId, ofPolicy]) => {
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

const policyComment = (ipPolicyId: string): string => `IP policy ${ipPolicyId}`;

export function adoptRule(rule: ServiceRule): Adoptable | NotAdoptable {
  const state = ipPolicyRuleState(rule);
  const summary = `${rule.action} ${state.cidr}`;
  const inState = resourceInState(ipPolicyRuleFields, state);
  if ('reason' in inState) return { id: rule.id, summary, reason: inState.reason };
  const { ipPolicyId, cidr, action } = state;
  return {
    type: 'IpPolicyRule',
    id: rule.id,
    wantedName: nameFromText(rule.description ?? '') ?? nameFromCidr(action, cidr),
    comment: policyComment(ipPolicyId),
    summary,
    liveIds: [rule.id],
    args: { ipPolicyId, cidr, action, ...detailsOf(rule) },
    ...inState,
  };
}

/** Turns the live rules of a policy into one set. Of two rules for one network, which some services allow, it holds the first. */
export function adoptRuleSet(
  ipPolicyId: string,
  rules: readonly ServiceRule[],
): (Adoptable | NotAdoptable)[] {
  const inSet = new Map<string, LiveRule>();
  const beside: (Adoptable | NotAdoptable)[] = [];
  for (const rule of rules) {
    const alone = adoptRule(rule);
    if (isAdoptable(alone) && !inSet.has(rule.cidr)) inSet.set(rule.cidr, rule);
    else beside.push(alone);
  }
  const members = [...inSet.values()];
  return members.length === 0 ? beside : [setOf(ipPolicyId, members), ...beside];
}

function setOf(ipPolicyId: string, rules: readonly LiveRule[]): Adoptable | NotAdoptable {
  const state = ruleSetState({ ipPolicyId, exclusive: false }, rules);
  const id = setId(ipPolicyId, state.ruleIdList);
  const summary = `${rules.length} rules of ${ipPolicyId}`;
  const inState = resourceInState(ipPolicyRuleSetFields, state);
  if ('reason' in inState) return { id, summary, reason: inState.reason };
  return {
    type: 'IpPolicyRuleSet',
    id,
    wantedName: `ip-policy-${shortId(ipPolicyId)}`,
    comment: policyComment(ipPolicyId),
    summary,
    liveIds: rules.map((rule) => rule.id),
    args: {
      ipPolicyId,
      rules: Object.fromEntries(parseRules(state.rules).map(({ cidr, ...rest }) => [cidr, rest])),
    },
    ...inState,
  };
}

/** Several sets may share a policy, so this one gets an id of its own, as a created set does; the id is the same at each run. */
const setId = (ipPolicyId: string, ruleIdList: string): string =>
  `${ipPolicyId}/${createHash('sha256').update(ruleIdList).digest('hex').slice(0, 12)}`;

function adoptModule({ type, live }: LiveModule): Adoptable | NotAdoptable {
  const kind = moduleKind(type);
  const id = moduleIdOf(kind, live) ?? '';
  const summary = moduleSummary(kind, live);
  const inState = resourceInState(kind.fields, moduleState(kind, live));
  if ('reason' in inState) return { id, summary, reason: inState.reason };
  return {
    type,
    id,
    wantedName: `${kind.importOption.replace(/^--/, '')}-${shortId(id.split('/').at(-1) ?? id)}`,
    comment: `${capital(kind.name.replace(/ module$/, ''))} of ${parentName(kind)} ${id}`,
    summary,
    liveIds: [liveKey(type, id)],
    args: argsOf(kind, live),
    ...inState,
  };
}

/** The arguments that a program has to give: the ids, and every field that differs from its default. */
function argsOf(kind: ModuleKind, live: object): Properties {
  const identity = identityOf(kind);
  const values = { ...live, ...kind.inProgram?.(live) } as Properties;
  const said = fieldsOf(kind.fields).filter(
    ([name, { wire, defaultValue }]) =>
      identity.includes(name) || (wire !== undefined && !isDefault(defaultValue, values[name])),
  );
  return Object.fromEntries(said.map(([name]) => [name, values[name]]));
}

const isDefault = (defaultValue: unknown, value: unknown): boolean =>
  defaultValue !== undefined && JSON.stringify(defaultValue) === JSON.stringify(value);

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
