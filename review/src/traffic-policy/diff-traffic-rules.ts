import { grouped } from 'pulumi-edge-policy/internal/values/grouped';
import type { TrafficRule } from './traffic-rules';

export type TrafficRuleChange =
  | { readonly kind: 'added'; readonly after: TrafficRule }
  | { readonly kind: 'removed'; readonly before: TrafficRule }
  | { readonly kind: 'moved' | 'changed'; readonly before: TrafficRule; readonly after: TrafficRule };

interface Pair {
  readonly before: TrafficRule;
  readonly after: TrafficRule;
}

/** The difference of two rule lists, phase by phase. A rule both moved and changed is reported as each. */
export function diffTrafficRules(
  before: readonly TrafficRule[],
  after: readonly TrafficRule[],
): readonly TrafficRuleChange[] {
  const [left, right] = [grouped(before, phaseOf), grouped(after, phaseOf)];
  const phases = new Set([...right.keys(), ...left.keys()]);
  return [...phases].flatMap((phase) => diffPhase(left.get(phase) ?? [], right.get(phase) ?? []));
}

const phaseOf = ({ phase }: TrafficRule): string => phase;

function diffPhase(before: readonly TrafficRule[], after: readonly TrafficRule[]): TrafficRuleChange[] {
  const open = { before: [...before], after: [...after] };
  const pairs = matchRules(open);
  return [
    ...open.after.map((rule) => ({ kind: 'added' as const, after: rule })),
    ...open.before.map((rule) => ({ kind: 'removed' as const, before: rule })),
    ...moved(pairs).map((pair) => ({ kind: 'moved' as const, ...pair })),
    ...pairs.filter(isChanged).map((pair) => ({ kind: 'changed' as const, ...pair })),
  ];
}

const isChanged = ({ before, after }: Pair): boolean =>
  before.name !== after.name || before.content !== after.content;

/** The pairs, which are in their order before, from the first to the last that has another place among them. */
function moved(pairs: readonly Pair[]): readonly Pair[] {
  const order = pairs.toSorted((left, right) => left.after.position - right.after.position);
  const isElsewhere = (pair: Pair, index: number): boolean => order[index] !== pair;
  return pairs.slice(Math.max(pairs.findIndex(isElsewhere), 0), pairs.findLastIndex(isElsewhere) + 1);
}

/** What makes two rules one: being equal, then the name, then the content. A rule without a name is identified by its content. */
const IDENTITIES: readonly ((rule: TrafficRule) => string)[] = [
  (rule) => `${rule.name.length} ${rule.name}${rule.content}`,
  (rule) => (rule.name === '' ? rule.content : ` ${rule.name}`),
  (rule) => rule.content,
];

/** The rules of which both lists have one; the rest stays unpaired. */
const matchRules = (open: OpenRules): Pair[] =>
  IDENTITIES.flatMap((identityOf) => takePairs(open, identityOf)).sort(
    (left, right) => left.before.position - right.before.position,
  );

interface OpenRules {
  before: TrafficRule[];
  after: TrafficRule[];
}

function takePairs(open: OpenRules, identityOf: (rule: TrafficRule) => string): Pair[] {
  if (open.before.length === 0 || open.after.length === 0) return [];
  // Of several equal ones the first is taken first; the list is reversed, as taking from the end costs nothing.
  const waiting = grouped(open.after.toReversed(), identityOf);
  const pairs: Pair[] = [];
  for (const rule of open.before) {
    const partner = waiting.get(identityOf(rule))?.pop();
    if (partner) pairs.push({ before: rule, after: partner });
  }
  const taken = new Set(pairs.flatMap((pair) => [pair.before, pair.after]));
  open.before = open.before.filter((rule) => !taken.has(rule));
  open.after = open.after.filter((rule) => !taken.has(rule));
  return pairs;
}
