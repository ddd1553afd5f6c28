import { compilePattern } from './compiled-patterns';
import { invalidPattern, type PatternList } from './filter-logic';
import type { RouteAccess } from './route-access';

/** An added or removed pattern that contributes to a gain. */
export interface PatternChange {
  readonly list: 'allow' | 'deny';
  readonly pattern: string;
  readonly isAdded: boolean;
}

/**
 * Says which patterns contribute to a gain: allow patterns that come, and deny patterns that go; of clients that surely get in, those
 * that match one. None if a whole filter is added or removed.
 */
export function contributorsToRouteGain({
  sides: { before, after },
  gained: { witnesses },
}: Pick<RouteAccess, 'gained' | 'sides'>): PatternChange[] {
  if (before.kind === 'open' || after.kind === 'open') return [];
  const changes: PatternChange[] = [
    ...onlyIn(after.allow, before.allow).map((pattern) => ({
      list: 'allow' as const,
      pattern,
      isAdded: true,
    })),
    ...onlyIn(before.deny, after.deny).map((pattern) => ({ list: 'deny' as const, pattern, isAdded: false })),
  ];
  const matching = changes.filter(({ pattern }) =>
    witnesses.some((client) => compilePattern(pattern)?.finds(client ?? '')),
  );
  return matching.length > 0 ? matching : changes;
}

/** An invalid pattern may contribute, too. */
function onlyIn(list: PatternList, other: PatternList): string[] {
  const others = new Set(patternsOf(other));
  return patternsOf(list).filter((pattern) => !others.has(pattern));
}

const patternsOf = ({ patterns, unknowns }: PatternList): string[] => [
  ...patterns,
  ...unknowns.flatMap(invalidPattern),
];
