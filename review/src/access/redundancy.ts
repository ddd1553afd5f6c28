import { type Cidr, compareCidrs, contains } from 'pulumi-edge-policy/internal/values/cidr';
import type { VisibleRule } from '../model/declarations';

/** A rule, and narrower rules of the same action that together cover all of it. */
export interface TiledRule {
  readonly rule: VisibleRule;
  readonly tiles: readonly VisibleRule[];
}

/** Repetitions among the rules of one action. */
export interface Redundancy {
  /** Rules that a wider one of the same action, or an earlier one of the same network, makes superfluous. */
  readonly covered: readonly VisibleRule[];
  readonly tiled: readonly TiledRule[];
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
  const tiled: TiledRule[] = [];
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
      if (!isSameNetwork(previous, rule) && rule.cidr.first === previous.cidr.first) {
        const tiles = tilesOf(rules, index - 1);
        if (tiles) tiled.push({ rule: previous, tiles });
      }
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

/** The networks directly below that of a rule, if they fill it. */
function tilesOf(rules: readonly VisibleRule[], index: number): VisibleRule[] | undefined {
  const around = rules[index]?.cidr;
  const tiles: VisibleRule[] = [];
  for (let next = index + 1; around; next += 1) {
    const rule = rules[next];
    if (!rule || !contains(around, rule.cidr)) break;
    const last = tiles.at(-1);
    if (last && contains(last.cidr, rule.cidr)) continue;
    // A gap before this network cannot be filled by later ones.
    if (!isNextTo(last?.cidr, rule.cidr, around)) return undefined;
    tiles.push(rule);
  }
  return tiles.at(-1)?.cidr.last === around?.last ? tiles : undefined;
}

const isNextTo = (last: Cidr | undefined, next: Cidr, around: Cidr): boolean =>
  last ? BigInt(last.last) + 1n === BigInt(next.first) : next.first === around.first;
