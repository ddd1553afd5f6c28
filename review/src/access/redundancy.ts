import type { RuleAction } from 'pulumi-edge-policy/internal/values/action';
import type { Cidr } from 'pulumi-edge-policy/internal/values/cidr';
import { compareCidrs, contains, sizeOfCidr } from 'pulumi-edge-policy/internal/values/cidr';
import { cidrSetOf, toCidrs } from 'pulumi-edge-policy/internal/values/cidr-set';
import type { VisibleRule } from './policy-side';

/** A rule, and the rule of the same action that is wider and makes it superfluous. */
export interface CoveredRule {
  readonly rule: VisibleRule;
  readonly coveredBy: VisibleRule;
}

/** A rule, and narrower rules of the same action that together hold every address of it. */
export interface TiledRule {
  readonly rule: VisibleRule;
  readonly tiles: readonly VisibleRule[];
}

/** What the rules of one action say more than once. */
export interface Redundancy {
  /** Rules of one network, each group with more than one rule. */
  readonly repeated: readonly (readonly VisibleRule[])[];
  readonly covered: readonly CoveredRule[];
  readonly tiled: readonly TiledRule[];
  /** One rule for each network that no other covers. */
  readonly outermost: readonly VisibleRule[];
}

interface Node {
  readonly group: readonly VisibleRule[];
  readonly rule: VisibleRule;
  readonly children: VisibleRule[];
}

/**
 * Finds repetitions among the rules of one action. Networks are nested or apart, never half overlapping, so one walk
 * in sorted order with the enclosing networks on a stack sees them all.
 */
export function redundancyOf(rules: readonly VisibleRule[]): Redundancy {
  const nodes: Node[] = [];
  const covered: CoveredRule[] = [];
  const outermost: VisibleRule[] = [];
  const enclosing: Node[] = [];
  for (const group of groupEqual(rules)) {
    const [rule] = group;
    if (!rule) continue;
    while (enclosing.length > 0 && !contains(enclosing.at(-1)?.rule.cidr ?? rule.cidr, rule.cidr))
      enclosing.pop();
    const widest = enclosing[0];
    if (widest) covered.push(...group.map((narrow) => ({ rule: narrow, coveredBy: widest.rule })));
    else outermost.push(rule);
    enclosing.at(-1)?.children.push(rule);
    const node = { group, rule, children: [] };
    nodes.push(node);
    enclosing.push(node);
  }
  return {
    repeated: nodes.map((node) => node.group).filter((group) => group.length > 1),
    covered,
    tiled: nodes.filter(isTiled).map((node) => ({ rule: node.rule, tiles: node.children })),
    outermost,
  };
}

function groupEqual(rules: readonly VisibleRule[]): VisibleRule[][] {
  const groups: VisibleRule[][] = [];
  for (const rule of [...rules].sort((left, right) => compareCidrs(left.cidr, right.cidr))) {
    const previous = groups.at(-1);
    if (previous?.[0]?.cidr.text === rule.cidr.text) previous.push(rule);
    else groups.push([rule]);
  }
  return groups;
}

/** The children are apart from each other, so sizes add up to the parent's only if they fill it. */
function isTiled({ rule, children }: Node): boolean {
  if (children.length < 2) return false;
  if (rule.cidr.family === 6)
    return children.reduce((sum, { cidr }) => sum + sizeOfCidr(cidr), 0n) === sizeOfCidr(rule.cidr);
  // The same in plain numbers, as sizes of IPv4 fit them.
  const size = children.reduce((sum, { cidr }) => sum + 2 ** (32 - cidr.prefixLength), 0);
  return size === 2 ** (32 - rule.cidr.prefixLength);
}

/** Networks that can stand for several rules each. */
export interface Merge {
  readonly network: Cidr;
  readonly rules: readonly VisibleRule[];
}

/** How the outermost rules of one action, in their sorted order, could be written with fewer networks. */
export function mergesOf(rules: readonly VisibleRule[]): Merge[] {
  let next = 0;
  return toCidrs(cidrSetOf(rules.map((rule) => rule.cidr))).flatMap((network) => {
    const merged: VisibleRule[] = [];
    for (let rule = rules[next]; rule && contains(network, rule.cidr); rule = rules[next]) {
      merged.push(rule);
      next += 1;
    }
    return merged.length > 1 ? [{ network, rules: merged }] : [];
  });
}

/** The rules of one action. */
export const rulesOf = (rules: readonly VisibleRule[], action: RuleAction): VisibleRule[] =>
  rules.filter((rule) => rule.action === action);
