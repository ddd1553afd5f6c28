import type { LiveRule, Rule } from '../rule/rule';
import type { Change } from './comparison';
import { NetworkIndex } from './network-index';

/** Removed and added rules of one action. */
export interface Delta {
  readonly removed: readonly LiveRule[];
  readonly added: readonly Rule[];
}

/** A delta with as many pairs as possible made into moves: one request instead of two. */
export interface Moves {
  readonly moved: readonly Change[];
  readonly removed: readonly LiveRule[];
  readonly added: readonly Rule[];
}

/**
 * Pairs removed rules with added ones of the same action. A removed rule whose network overlaps an added one moves to
 * that one or not at all: until the other were created, its addresses would be under neither. That leaves every rule
 * with no choice or with all, so taking the ones without a choice first finds the most pairs.
 *
 * @param isMovable Rules it refuses are removed the plain way.
 * @param isPreferred Rules it names move first where there are more removed rules than added ones.
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
