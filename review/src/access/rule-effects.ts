import type { RuleAction } from 'pulumi-edge-policy/internal/values/action';
import type { VisibleRule } from '../model/declarations';
import type { IpModel } from './evaluation-model';
import { doAllowsCount, doDeniesCount, getsIn, isDenyStronger, letsUnmatchedIn } from './evaluation-model';
import { FAMILIES, type PolicySide } from './policy-side';
import { type CidrSet, cidrSetOf, covers, subtract, touches } from './cidr-set';
import { type Cidr, compareCidrs, contains } from 'pulumi-edge-policy/internal/values/cidr';
import type { PolicyChange } from './policy-change';

/** `decides`, alone or with others; `shadowed`: others decide the same; `never-matches` anybody for whom it would matter. */
export type RuleEffect = 'decides' | 'shadowed' | 'never-matches' | 'undecided';

/** The effect of every visible rule of a policy. Those that have none can be removed together: nobody's fate changes. */
export function ruleEffects(side: PolicySide, model: IpModel): ReadonlyMap<VisibleRule, RuleEffect> {
  const { rules, hiddenRules, doubtfulRules } = side;
  const isOpen = hiddenRules.length > 0;
  if (doubtfulRules.length > 0) return new Map(rules.map((rule) => [rule, 'undecided']));
  const needless = needlessRules(rules, { model, isOpen });
  const idle = new Set(isOpen ? [] : idleRules(side, model));
  return new Map(
    rules.map((rule): [VisibleRule, RuleEffect] => {
      if (!needless.has(rule)) return [rule, isOpen ? 'undecided' : 'decides'];
      return [rule, idle.has(rule) ? 'never-matches' : 'shadowed'];
    }),
  );
}

interface Asked {
  readonly model: IpModel;
  /** Whether hidden rules may match any address as well. */
  readonly isOpen: boolean;
}

/**
 * The rules whose absence, all together, changes nothing: left out one by one, the stronger action first, as it decides wherever it
 * matches; then the wider network, as narrower ones say more precisely who gets in; of equal rules, the first stays.
 */
function needlessRules(rules: readonly VisibleRule[], asked: Asked): ReadonlySet<VisibleRule> {
  const needless = new Set<VisibleRule>();
  const stronger: RuleAction = isDenyStronger(asked.model) ? 'deny' : 'allow';
  for (const family of FAMILIES) {
    const ofFamily = rules.filter(({ cidr }) => cidr.family === family);
    const order = ofFamily
      .toReversed()
      .sort(
        (one, other) =>
          Number(other.action === stronger) - Number(one.action === stronger) ||
          one.cidr.prefixLength - other.cidr.prefixLength,
      );
    const { counts, spanOf } = matchesOf(ofFamily);
    for (const rule of order) {
      const { action } = rule;
      const [begin, end] = spanOf(rule);
      let at = begin;
      while (
        at < end &&
        !matters(action, { allow: counts.allow[at] ?? 0, deny: counts.deny[at] ?? 0 }, asked)
      )
        at += 1;
      if (at < end) continue;
      needless.add(rule);
      for (at = begin; at < end; at += 1) counts[action][at] = (counts[action][at] ?? 0) - 1;
    }
  }
  return needless;
}

/** How many rules of each action match each stretch of addresses between the ends of networks. */
function matchesOf(rules: readonly VisibleRule[]) {
  const ends = rules.flatMap(({ cidr }) => [BigInt(cidr.first), BigInt(cidr.last) + 1n]);
  const places = new Map(
    [...new Set(ends)].sort((one, other) => (one < other ? -1 : 1)).map((end, at) => [end, at]),
  );
  const spanOf = ({ cidr }: VisibleRule): readonly [begin: number, end: number] => [
    places.get(BigInt(cidr.first)) ?? 0,
    places.get(BigInt(cidr.last) + 1n) ?? 0,
  ];
  const counts = { allow: new Uint32Array(places.size), deny: new Uint32Array(places.size) };
  for (const rule of rules) {
    const [begin, end] = spanOf(rule);
    for (let at = begin; at < end; at += 1) counts[rule.action][at] = (counts[rule.action][at] ?? 0) + 1;
  }
  return { counts, spanOf };
}

/** Whether the absence of one rule changes who gets in where so many match; or may change it, if hidden rules match there, too. */
function matters(
  action: RuleAction,
  counts: Readonly<Record<RuleAction, number>>,
  { model, isOpen }: Asked,
): boolean {
  if (counts[action] > 1) return false;
  const without = { ...counts, [action]: 0 };
  if (!isOpen)
    return (
      getsIn(counts.allow > 0, counts.deny > 0, model) !== getsIn(without.allow > 0, without.deny > 0, model)
    );
  const isOverruled = isDenyStronger(model)
    ? action === 'allow' && counts.deny > 0
    : action === 'deny' && counts.allow > 0;
  return !(isOverruled && doAllowsCount(model) && doDeniesCount(model));
}

/** Allow rules without effect if denies win. */
export const overruled = ({ byAction, denied }: PolicySide): VisibleRule[] =>
  byAction.allow.rules.filter(({ cidr }) => covers(denied, cidr));

/** Rules of an action that does not count, and exceptions from what no rule says. Hidden rules may give them an effect. */
export function idleRules({ byAction, allowed, denied }: PolicySide, model: IpModel): VisibleRule[] {
  if (!doAllowsCount(model)) return [...byAction.allow.rules];
  if (!doDeniesCount(model)) return [...byAction.deny.rules];
  return letsUnmatchedIn(model)
    ? byAction.allow.rules.filter(({ cidr }) => !touches(denied, cidr))
    : byAction.deny.rules.filter(({ cidr }) => !touches(allowed, cidr));
}

/** The changed rules that contribute to a move of these addresses, the widest first; where others do the same, none does. */
export function contributorsTo(
  { added, removed, before, after }: PolicyChange,
  moved: CidrSet,
  { isGain, model }: { readonly isGain: boolean; readonly model: IpModel },
): Readonly<Record<'added' | 'removed', readonly VisibleRule[]>> {
  const contributing = (rules: readonly VisibleRule[], action: VisibleRule['action'], other: PolicySide) => {
    if (!(action === 'allow' ? doAllowsCount : doDeniesCount)(model)) return [];
    const open = subtract(moved, lastingNetworks(other, action));
    return rules.filter((rule) => rule.action === action && touches(open, rule.cidr)).sort(widestFirst);
  };
  const [comes, goes] = isGain ? (['allow', 'deny'] as const) : (['deny', 'allow'] as const);
  return { added: contributing(added, comes, before), removed: contributing(removed, goes, after) };
}

export const widestFirst = ({ cidr: left }: VisibleRule, { cidr: right }: VisibleRule): number =>
  left.prefixLength - right.prefixLength || compareCidrs(left, right);

/** What the rules of an action match at every time. */
const lastingNetworks = (side: PolicySide, action: VisibleRule['action']): CidrSet =>
  side.hasEnds
    ? cidrSetOf(
        side.sureRules.flatMap((rule) =>
          rule.action === action && rule.until === undefined ? rule.cidr : [],
        ),
      )
    : side[action === 'allow' ? 'allowed' : 'denied'];

interface Redundancy {
  /** Rules that a wider one of the same action, or an earlier one of the same network, makes superfluous. */
  readonly covered: readonly VisibleRule[];
  /** Rules that narrower ones of the same action together cover. */
  readonly tiled: readonly VisibleRule[];
  /** One rule per network, for the networks that no other covers. */
  readonly outermost: readonly VisibleRule[];
}

/** Networks are nested or disjoint, so in sorted order those inside another one follow it directly. */
export function redundancyOf(rules: readonly VisibleRule[]): Redundancy {
  const covered: VisibleRule[] = [];
  const outermost: VisibleRule[] = [];
  const tiled: VisibleRule[] = [];
  let [widest] = rules;
  for (let index = 0; index < rules.length; index += 1) {
    const rule = rules[index];
    const previous = rules[index - 1];
    if (!rule || !widest) break;
    const isCovered = previous !== undefined && contains(widest.cidr, rule.cidr);
    if (!isCovered) {
      widest = rule;
      outermost.push(rule);
    } else covered.push(rule);
    // A rule directly below another one is within the widest one, too.
    if (isCovered && contains(previous.cidr, rule.cidr)) {
      if (compareCidrs(previous.cidr, rule.cidr) !== 0 && isTiled(rules, index - 1)) tiled.push(previous);
    }
  }
  return { covered, tiled, outermost };
}

export function coversOf(rules: readonly VisibleRule[], { outermost }: Redundancy): VisibleRule[] {
  const covers: VisibleRule[] = [];
  let next = 0;
  for (const rule of rules) {
    let cover = outermost[next];
    while (cover && !contains(cover.cidr, rule.cidr)) {
      next += 1;
      cover = outermost[next];
    }
    if (cover && covers.at(-1) !== cover) covers.push(cover);
  }
  return covers;
}

function isTiled(rules: readonly VisibleRule[], index: number): boolean {
  const around = rules[index]?.cidr;
  let last: Cidr | undefined;
  for (let next = index + 1; around; next += 1) {
    const cidr = rules[next]?.cidr;
    if (!cidr || !contains(around, cidr)) break;
    if (last && contains(last, cidr)) continue;
    // A gap before this network cannot be filled by later ones.
    if (last ? BigInt(last.last) + 1n !== BigInt(cidr.first) : cidr.first !== around.first) return false;
    last = cidr;
  }
  return last?.last === around?.last;
}
