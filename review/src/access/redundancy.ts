import { type Cidr, compareCidrs, contains } from 'pulumi-edge-policy/internal/values/cidr';
import type { VisibleRule } from '../model/declarations';

/** Repetitions among the rules of one action. */
export interface Redundancy {
  /** Rules that a wider one of the same action, or an earlier one of the same network, makes superfluous. */
  readonly covered: readonly VisibleRule[];
  /** Rules that narrower ones of the same action together cover. */
  readonly tiled: readonly VisibleRule[];
  /** One rule per network, for the networks that no other covers. */
  readonly outermost: readonly VisibleRule[];
}

/**
 * Finds repetitions among the rules of one action. Networks are nested or disjoint, never partly overlapping, so in sorted
 * order the networks inside another one follow it directly.
 */
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
      if (!isSameNetwork(previous, rule) && isTiled(rules, index - 1)) tiled.push(previous);
    }
  }
  return { covered, tiled, outermost };
}

const isSameNetwork = (one: VisibleRule, other: VisibleRule): boolean =>
  compareCidrs(one.cidr, other.cidr) === 0;

/** The outermost rules that cover some rules of the same list, each once. */
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

/** Whether the networks directly below that of a rule fill it. */
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
