// Questions about rules by their networks.
import { type CidrSet, covers, touches } from './cidr-set';
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
  // Of several with one network, the first counts.
  const byNetwork = new Map(others.toReversed().map((other) => [other.cidr.text, other]));
  const isShared = (rule: VisibleRule): boolean => {
    const other = byNetwork.get(rule.cidr.text);
    return other !== undefined && isAlike(rule, other);
  };
  return { shared: rules.filter(isShared), own: rules.filter((rule) => !isShared(rule)) };
}

/** The rules that others have less often, or with another end. One that both have is the same; of equal ones the last are too many. */
export function onlyIn(rules: readonly VisibleRule[], others: readonly VisibleRule[]): VisibleRule[] {
  const [own, theirs] = [new Set(rules), new Set(others)];
  const matching = new Map<string, number>();
  const add = (rule: VisibleRule, more: number): number => {
    const key = `${rule.action} ${rule.cidr.text} ${rule.until ?? ''}`;
    const count = (matching.get(key) ?? 0) + more;
    matching.set(key, count);
    return count;
  };
  for (const other of others) if (!own.has(other)) add(other, 1);
  return rules.filter((rule) => !theirs.has(rule) && add(rule, -1) < 0);
}
