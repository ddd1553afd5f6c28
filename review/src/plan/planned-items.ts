import type { Known, Obstacle } from '../model/known';
import { valueOf } from '../model/known';
import type { ResourceSide } from '../model/resource-change';
import { compareText } from '../text/compare-text';
import type { SetLines } from '../model/set-lines';
import type { Declared } from '../model/snapshot';
import { declaredBy } from '../model/snapshot';
import { FIRST_LINE } from 'pulumi-edge-policy/internal/rule-set/rules-text';
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
const knownTexts = new WeakMap<Declared, string>();

/** What `JSON.stringify` makes of the items of a set, without the brackets. */
export function textOfSet(side: ResourceSide | undefined): string {
  if (!side) return '';
  const declared = declaredBy(side);
  const text = knownTexts.get(declared) ?? writeItems(declared);
  knownTexts.set(declared, text);
  return text;
}

function writeItems(declared: Declared): string {
  const { rules, lines } = declared;
  const [first] = rules;
  const plain = first && lines?.isKnown ? textOfPlainLines(lines.value, planned(first.policyId)) : undefined;
  if (plain === undefined) return JSON.stringify(readItems(declared)).slice(1, -1);
  return [plain, ...ownerItems(declared).map((item) => JSON.stringify(item))].join(',');
}

/** The items of a set of which every line is plain and in order: its text has all of them already. */
function textOfPlainLines({ text, others, isSorted }: SetLines, subject: PlannedValue): string | undefined {
  if (text === '' || others.size > 0 || !isSorted) return undefined;
  const item = `{"subject":${JSON.stringify(subject)},"cidr":"`.replaceAll('$', '$$$$');
  return text
    .slice(FIRST_LINE.length + 1)
    .replace(/^(\S+) (allow|deny)[^\n]*\n/gm, `${item}$1","action":"$2"},`)
    .slice(0, -1);
}

function readItems(declared: Declared): readonly PlannedItem[] {
  const { rules, trafficPolicy, userAgentFilter, exclusiveSet } = declared;
  if (trafficPolicy) return [policyItem(trafficPolicy)];
  if (userAgentFilter) return [filterItem(userAgentFilter)];
  const [first, second] = rules;
  if (first && !second && !exclusiveSet) return [ruleItem(first)];
  const items = inOrder(rules).map(ruleItem);
  return [...items, ...ownerItems(declared)];
}

/** A set that owns its policy says so. */
const ownerItems = ({ exclusiveSet }: Declared): readonly PlannedItem[] =>
  exclusiveSet?.isSure && exclusiveSet.policyId.isKnown
    ? [{ subject: exclusiveSet.policyId.value, exclusive: 'true' }]
    : [];

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

/** The policy of a set, if it is known and the set has items. */
export function subjectOfSet(side: ResourceSide | undefined): string | undefined {
  if (!side) return undefined;
  const { rules, exclusiveSet } = declaredBy(side);
  const owned = exclusiveSet?.isSure ? exclusiveSet.policyId : undefined;
  const place = rules[0]?.policyId ?? owned;
  return place && valueOf(place);
}
