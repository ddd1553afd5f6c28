import type { LiveRule, Rule } from '../rule/rule';
import type { Change } from './comparison';
import { NetworkIndex } from './network-index';

/** Removed and added rules of one action. */
export interface Delta {
  readonly removed: readonly LiveRule[];
  readonly added: readonly Rule[];
}

/** Turns as many pairs of a delta as possible into moves: one request instead of two. */
export interface Moves {
  readonly moved: readonly Change[];
  readonly removed: readonly LiveRule[];
  readonly added: readonly Rule[];
}

/**
 * Pairs removed rules with added ones of the same action. A removed rule whose network overlaps an added one may only move to
 * that one: otherwise its addresses would be uncovered until the added rule is created. So every rule has either no choice or
 * all choices, and serving those without a choice first finds the most pairs.
 *
 * @param isMovable Rules that it refuses are removed and created.
 * @param isPreferred Rules that move first if more are removed than added.
 */
export function pairMoves(
  { removed, added }: Delta,
  isMovable: (rule: LiveRule) => boolean,
  isPreferred: (rule: LiveRule) => boolean = () => true,
): Moves {
  if (removed.length === 0 || added.length === 0) return { moved: [], removed, added };
  const index = new NetworkIndex(added);
  const moved = new Map<LiveRule, Rule>();
  const taken = new Set<Rule>();
  const move = (rule: LiveRule, becomes: Rule | undefined): void => {
    if (becomes === undefined || taken.has(becomes)) return;
    moved.set(rule, becomes);
    taken.add(becomes);
  };
  const free: LiveRule[] = [];
  for (const rule of removed.filter(isMovable)) {
    const overlapped = index.overlapping(rule.cidr, 2);
    if (overlapped.length === 0) free.push(rule);
    else if (overlapped.length === 1) move(rule, overlapped[0]);
  }
  const places = added.filter((rule) => !taken.has(rule)).values();
  for (const rule of [...free.filter(isPreferred), ...free.filter((rule) => !isPreferred(rule))]) {
    move(rule, places.next().value);
  }
  return {
    moved: [...moved].map(([rule, becomes]) => ({ rule, becomes })),
    removed: removed.filter((rule) => !moved.has(rule)),
    added: added.filter((rule) => !taken.has(rule)),
  };
}
