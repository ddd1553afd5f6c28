import type { ResourceType } from '../../provider/src/resources/provider-reference';
import type { Rule } from '../../provider/src/rule/rule';
import { readDeclaration } from '../../provider/src/rule-set/declared-rules';
import { parseIdList, parseRules, readRuleLines } from '../../provider/src/rule-set/rules-text';
import type { AccountState, RuleWire } from '../../emulator/src/index';
import { UNKNOWN } from '../../provider/src/values/unknowns';
import { policyJson } from '../../provider/src/values/policy-document';
import type { Bag } from './host-process';
import type { Entry } from './stand-in-engine';
import { httpsEdgeId as httpsEdge } from './ids';
import { filterOf, policyOf, type Program, rulesOf, TEXTS } from './random-program/program';

/** Caches a result for an object that never changes, as the judges ask again and again. */
function once<Key extends object, T>(workOut: (key: Key) => T): (key: Key) => T {
  const known = new WeakMap<Key, T>();
  return (key) => {
    const result = known.get(key) ?? workOut(key);
    known.set(key, result);
    return result;
  };
}

/** An object of the service as declared, in state, or live: its place, and its full content. */
export interface Thing {
  /** Absent if it has not been created yet. */
  readonly id?: string;
  /** Its place and its effect there: two things with the same effect can replace each other. */
  readonly effect: string;
  /** The texts, which do not affect access. */
  readonly texts: string;
}

const ruleThing = (rule: {
  id?: string;
  policy: unknown;
  cidr: unknown;
  action: unknown;
  texts: Bag;
}): Thing => ({
  ...(rule.id === undefined ? {} : { id: rule.id }),
  effect: `${String(rule.policy)} ${String(rule.action)} ${String(rule.cidr)}`,
  texts: JSON.stringify([rule.texts['description'] ?? '', rule.texts['metadata'] ?? '']),
});

const moduleThing = (id: string, { enabled, value }: Bag): Thing => ({
  id,
  effect: `${id} ${JSON.stringify(enabled ?? true)} ${policySaid(typeof value === 'string' ? value : UNKNOWN)}`,
  texts: '',
});

const policiesSaid = new Map<string, string>();

/** The content of a policy, whatever the order of its keys. Programs use a few policies only, so each is parsed once. */
function policySaid(text: string): string {
  if (text === UNKNOWN) return text;
  const said = policiesSaid.get(text) ?? JSON.stringify(sortedKeys(JSON.parse(policyJson(text))));
  policiesSaid.set(text, said);
  return said;
}

function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, sortedKeys(member)]));
}

const filterThing = (id: string, { enabled, allow, deny }: Bag): Thing => ({
  id,
  effect: `${id} ${JSON.stringify([enabled ?? true, sorted(allow), sorted(deny)])}`,
  texts: '',
});

const sorted = (list: unknown): unknown[] => [...((list ?? []) as unknown[])].sort();

/** One rule on the service. */
export const liveRule = ({ id, cidr, action, ip_policy, description, metadata }: RuleWire): Thing =>
  ruleThing({ id, policy: ip_policy.id, cidr, action, texts: { description, metadata } });

/** Everything on the service. */
export const liveThings = once(({ rules, tcpModules, httpsModules }: AccountState): readonly Thing[] => [
  ...rules.map(liveRule),
  ...Object.entries(tcpModules).map(([id, content]) => moduleThing(id, { ...content })),
  ...Object.entries(httpsModules).map(([id, content]) => filterThing(id, { ...content })),
]);

/** What a resource declares; its objects have ids only if these are known before they are created. */
export const thingsDeclared = ({ type, inputs }: Pick<Entry, 'type' | 'inputs'>): readonly Thing[] =>
  heldThings({ type, name: '', id: idOf(type, inputs), inputs, outputs: inputs, initErrors: [] });

/** The id of a module is known before it is created; rules get theirs from the service. */
export function idOf(type: ResourceType, { edgeId, routeId }: Bag): string {
  if (type === 'TcpEdgeTrafficPolicyModule') return String(edgeId);
  return type === 'HttpsEdgeRouteUserAgentFilterModule' ? `${String(edgeId)}/${String(routeId)}` : '';
}

/** Everything that a program declares. */
export const declaredThings = once((program: Program): readonly Thing[] => [
  ...rulesOf(program).map(({ policy, rule }) =>
    ruleThing({ policy, cidr: rule.network, action: rule.action, texts: TEXTS[rule.text] }),
  ),
  ...program.flatMap((part) => {
    if (part.kind === 'edge') return [moduleThing(part.edge, policyOf(part.content))];
    return part.kind === 'route' ? [filterThing(`${httpsEdge}/${part.route}`, filterOf(part.content))] : [];
  }),
]);

/** The objects of one resource in the state. */
export const heldThings = once(({ type, id, outputs }: Entry): readonly Thing[] => {
  switch (type) {
    case 'IpPolicyRule': {
      const { ipPolicyId: policy, cidr, action } = outputs;
      return [ruleThing({ id, policy, cidr, action, texts: outputs })];
    }
    case 'IpPolicyRuleSet': {
      const ids = idsOf(outputs);
      return setRules(outputs).map(({ cidr, action, ...texts }, index) =>
        ruleThing({ id: ids[index] ?? '', policy: outputs['ipPolicyId'], cidr, action, texts }),
      );
    }
    case 'TcpEdgeTrafficPolicyModule':
      return [moduleThing(id, outputs)];
    case 'HttpsEdgeRouteUserAgentFilterModule':
      return [filterThing(id, outputs)];
    default:
      throw new Error('no program of the simulation declares such a module');
  }
});

/** The rules of a set from its text, sorted by key: in lines, or as a program declares them. */
export function setRules({ rules = '[]' }: Bag): Rule[] {
  const isRead = typeof rules === 'string' && readRuleLines(rules) !== undefined;
  // A preview may not know the rules yet.
  return parseRules(isRead ? rules : (readDeclaration(rules).value ?? '@rules\n'));
}

/** The ids of a set's rules, in the same order. */
export const idsOf = ({ ruleIdList }: Bag): string[] =>
  parseIdList(typeof ruleIdList === 'string' ? ruleIdList : '');

/** What a thing says of its object, as text. */
export const said = ({ effect, texts }: Thing): string => `${effect} ${texts}`;

/** The same with the id of the object. */
export const full = ({ id, effect, texts }: Thing): string => JSON.stringify([id, effect, texts]);

/** Whether two lists say the same, in whatever order. */
export const isSame = (one: readonly Thing[], other: readonly Thing[], as = said): boolean =>
  JSON.stringify(one.map(as).sort()) === JSON.stringify(other.map(as).sort());
