// Questions about all rules of one action, sorted by network. Two lists are compared in one walk through both: with a map by network
// instead, a review of a set of 20,000 rules takes 11.8 times `node -e ''`, where the bound is 10 (`node bench/review.mjs set`).
import { compareCidrs } from 'pulumi-edge-policy/internal/values/cidr';
import type { CidrSet } from './cidr-set';
import { covers, touches } from './cidr-set';
import type { VisibleRule } from '../model/declarations';

/** The rules whose addresses are all in a set. */
export const rulesWithin = (rules: readonly VisibleRule[], set: CidrSet): VisibleRule[] =>
  rules.filter(({ cidr }) => covers(set, cidr));

/** The rules of which no address is in a set. */
export const rulesApart = (rules: readonly VisibleRule[], set: CidrSet): VisibleRule[] =>
  rules.filter(({ cidr }) => !touches(set, cidr));

/** The rules, split by whether others have one with the same network that `isAlike` accepts. */
export function apartByNetwork(
  rules: readonly VisibleRule[],
  others: readonly VisibleRule[],
  isAlike: (rule: VisibleRule, other: VisibleRule) => boolean = () => true,
): { readonly shared: VisibleRule[]; readonly own: VisibleRule[] } {
  const shared: VisibleRule[] = [];
  const own: VisibleRule[] = [];
  let next = 0;
  for (const rule of rules) {
    let other = others[next];
    while (other && compareCidrs(other.cidr, rule.cidr) < 0) {
      next += 1;
      other = others[next];
    }
    const isShared = other !== undefined && compareCidrs(other.cidr, rule.cidr) === 0 && isAlike(rule, other);
    (isShared ? shared : own).push(rule);
  }
  return { shared, own };
}

/** The rules of each list that the other one has less often, or with another end. */
export function onlyInOne(
  left: readonly VisibleRule[],
  right: readonly VisibleRule[],
  found: (rule: VisibleRule, isLeft: boolean) => void,
): void {
  let i = 0;
  let j = 0;
  for (;;) {
    const one = left[i];
    const other = right[j];
    if (!one && !other) return;
    const order = compareRules(one, other);
    if (order < 0 && one) {
      found(one, true);
      i += 1;
    } else if (order > 0 && other) {
      found(other, false);
      j += 1;
    } else {
      const [endI, endJ] = [endOfNetwork(left, i), endOfNetwork(right, j)];
      // Nearly always each side has one rule for a network.
      if (endI - i + endJ - j > 2 || one?.until !== other?.until)
        notAsOften(left.slice(i, endI), right.slice(j, endJ), found);
      i = endI;
      j = endJ;
    }
  }
}

/** A missing rule sorts last. */
function compareRules(one: VisibleRule | undefined, other: VisibleRule | undefined): number {
  if (!one || !other) return one ? -1 : 1;
  return one === other ? 0 : compareCidrs(one.cidr, other.cidr);
}

function endOfNetwork(rules: readonly VisibleRule[], start: number): number {
  const first = rules[start];
  let end = start + 1;
  while (end < rules.length && first && isSameNetwork(first, rules[end])) end += 1;
  return end;
}

const isSameNetwork = (rule: VisibleRule, other: VisibleRule | undefined): boolean =>
  other !== undefined && compareCidrs(rule.cidr, other.cidr) === 0;

/** Of rules for one network, those on both sides are dropped, and of the rest the last ones with the same end are the surplus. */
function notAsOften(
  left: readonly VisibleRule[],
  right: readonly VisibleRule[],
  found: (rule: VisibleRule, isLeft: boolean) => void,
): void {
  const gone = left.filter((rule) => !right.includes(rule));
  const come = right.filter((rule) => !left.includes(rule));
  for (const until of new Set([...gone, ...come].map((rule) => rule.until))) {
    const [own, others] = [gone, come].map((rules) => rules.filter((rule) => rule.until === until));
    for (const rule of own?.slice(others?.length) ?? []) found(rule, true);
    for (const rule of others?.slice(own?.length) ?? []) found(rule, false);
  }
}
