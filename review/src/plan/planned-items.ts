import type { Known, Obstacle } from '../model/known';
import type { ResourceSide } from '../model/resource-change';
import { compareText } from '../model/resource-change';
import type { Declared } from '../model/snapshot';
import { declaredBy } from '../model/snapshot';
import { compareCidrs } from 'pulumi-edge-policy/internal/values/cidr';
import type {
  RuleDeclaration,
  TrafficPolicyDeclaration,
  UserAgentFilterDeclaration,
  VisibleRule,
} from '../model/declarations';
import { canonicalDocument, canonicalJson } from './canonical-json';

/** A value of a plan: a text, or why there is none. */
export type PlannedValue = string | { readonly hidden: Obstacle };

/**
 * One rule, traffic policy or filter: the values that access depends on, in one canonical form. `subject` is the policy,
 * the edge, or `edge/route`.
 */
export interface PlannedItem {
  readonly subject: PlannedValue;
  readonly [name: string]: PlannedValue;
}

/** What a resource declares on one side, in an order that does not depend on how it was written. */
export function itemsOf(side: ResourceSide | undefined): readonly PlannedItem[] {
  if (!side) return NO_ITEMS;
  const declared = declaredBy(side);
  const items = known.get(declared) ?? readItems(declared);
  known.set(declared, items);
  return items;
}

// Both sides of a resource that stays as it is are one.
const known = new WeakMap<Declared, readonly PlannedItem[]>();

function readItems({
  rules,
  trafficPolicy,
  userAgentFilter,
  exclusiveSet,
}: Declared): readonly PlannedItem[] {
  if (trafficPolicy) return [policyItem(trafficPolicy)];
  if (userAgentFilter) return [filterItem(userAgentFilter)];
  const [first, second] = rules;
  if (first && !second && !exclusiveSet) return [ruleItem(first)];
  const items = inOrder(rules).map(ruleItem);
  return exclusiveSet?.isSure && exclusiveSet.policyId.isKnown
    ? [...items, { subject: exclusiveSet.policyId.value, exclusive: 'true' }]
    : items;
}

const NO_ITEMS: readonly PlannedItem[] = [];

const ruleItem = ({ policyId, cidr, action }: RuleDeclaration): PlannedItem => ({
  subject: planned(policyId),
  cidr: planned(cidr, (network) => network.text),
  action: planned(action),
});

const policyItem = ({ edgeId, isEnabled, value, document }: TrafficPolicyDeclaration): PlannedItem => ({
  subject: planned(edgeId),
  enabled: planned(isEnabled, String),
  value: document === undefined ? planned(value, canonicalJson) : canonicalDocument(document),
});

const filterItem = ({ routeKey, isEnabled, allow, deny }: UserAgentFilterDeclaration): PlannedItem => ({
  subject: planned(routeKey),
  enabled: planned(isEnabled, String),
  allow: planned(allow, patternsInOrder),
  deny: planned(deny, patternsInOrder),
});

/** The rules of a set by their networks, as its text mostly has them; those of which something is hidden come last. */
function inOrder(rules: readonly RuleDeclaration[]): readonly RuleDeclaration[] {
  if (isInOrder(rules)) return rules;
  const hidden = rules
    .filter((rule) => !rule.visible)
    .map((rule) => ({ rule, text: JSON.stringify(ruleItem(rule)) }));
  return [
    ...rules.filter((rule) => rule.visible).sort(compareRules),
    ...hidden.sort((left, right) => compareText(left.text, right.text)).map(({ rule }) => rule),
  ];
}

function isInOrder(rules: readonly RuleDeclaration[]): boolean {
  let previous: VisibleRule | undefined;
  for (const { visible } of rules) {
    if (!visible || (previous && compareCidrs(previous.cidr, visible.cidr) >= 0)) return false;
    previous = visible;
  }
  return true;
}

function compareRules({ visible: left }: RuleDeclaration, { visible: right }: RuleDeclaration): number {
  if (!left || !right) return 0;
  return compareCidrs(left.cidr, right.cidr) || compareText(left.action, right.action);
}

function planned(value: Known<string>): PlannedValue;
function planned<T>(value: Known<T>, write: (value: T) => string): PlannedValue;
function planned<T>(value: Known<T>, write: (value: T) => string = String): PlannedValue {
  return value.isKnown ? write(value.value) : { hidden: value.obstacle };
}

/** The order of patterns decides nothing: any one that matches counts. */
const patternsInOrder = (patterns: readonly string[]): string => JSON.stringify([...patterns].sort());

/** The known subjects of what is planned for a resource. */
export function subjectsOf({
  before,
  after,
}: {
  readonly before: readonly PlannedItem[];
  readonly after: readonly PlannedItem[];
}): ReadonlySet<string> {
  const subjects = new Set<string>();
  for (const { subject } of before) if (typeof subject === 'string') subjects.add(subject);
  for (const { subject } of after) if (typeof subject === 'string') subjects.add(subject);
  return subjects;
}
