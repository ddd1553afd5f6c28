import type { Candidate, ExpectedObject } from './expected-objects';

/** What became of one object that an interrupted operation should have created. */
export type MatchedCreate =
  | { readonly kind: 'found'; readonly candidate: Candidate; readonly isToldSo: boolean }
  | { readonly kind: 'none' }
  | { readonly kind: 'doubt'; readonly why: string; readonly candidates: readonly Candidate[] };

/**
 * Finds the live object of each create. A create has happened if exactly one object that no resource manages has its values, is no
 * older than the operation (a module has no age) and could be no other operation's. It never happened if nothing unmanaged is in its
 * place. Anything else is in doubt: the operator decides, and `--take` gives an object to the operation that it fits best, the latest
 * first. Each object is given out once: if two resources had it in state, removing one of them would delete the other's.
 */
export function matchCreates(
  expected: readonly ExpectedObject[],
  takeIds: readonly string[],
): Map<ExpectedObject, MatchedCreate> {
  const chosen = takenAsTold(expected, takeIds);
  const taken = new Set([...chosen.values()].map(({ key }) => key));
  const open = expected.flatMap((one) =>
    chosen.has(one) ? [] : [{ one, free: one.candidates.filter(({ key }) => !taken.has(key)) }],
  );
  const claims = new Map<string, number>();
  for (const { key, isSame } of open.flatMap(({ free }) => free))
    if (isSame) claims.set(key, (claims.get(key) ?? 0) + 1);
  const decided = open.map(({ one, free }) => [one, match(free, claims)] as const);
  const asTold = [...chosen].map(
    ([one, candidate]) => [one, { kind: 'found', candidate, isToldSo: true }] as const,
  );
  return new Map<ExpectedObject, MatchedCreate>([...decided, ...asTold]);
}

/** An object in the place of an operation is brought in as it is, whatever its age and values. */
function takenAsTold(
  expected: readonly ExpectedObject[],
  takeIds: readonly string[],
): Map<ExpectedObject, Candidate> {
  const chosen = new Map<ExpectedObject, Candidate>();
  const latestFirst = [...expected].reverse();
  for (const id of new Set(takeIds)) {
    const fitting = latestFirst.flatMap((one) => {
      const candidate = one.candidates.find((other) => other.id === id);
      return candidate === undefined || chosen.has(one) ? [] : [{ one, candidate }];
    });
    const best = fitting.find(({ candidate }) => candidate.isSame) ?? fitting[0];
    if (best !== undefined) chosen.set(best.one, best.candidate);
  }
  return chosen;
}

function match(free: readonly Candidate[], claims: ReadonlyMap<string, number>): MatchedCreate {
  const same = free.filter(({ isSame }) => isSame);
  const [only] = same;
  if (only === undefined) {
    const near = free.filter(({ key }) => !claims.has(key));
    return near.length === 0 ? { kind: 'none' } : { kind: 'doubt', why: EDITED, candidates: near };
  }
  const why = whyUnsure(same, claims);
  if (why !== undefined) return { kind: 'doubt', why, candidates: same };
  return { kind: 'found', candidate: only, isToldSo: false };
}

function whyUnsure(same: readonly Candidate[], claims: ReadonlyMap<string, number>): string | undefined {
  if (same.some(({ key }) => (claims.get(key) ?? 0) > 1))
    return 'several interrupted operations could have created it';
  if (same.length > 1) return 'several objects on the service match';
  return same.some(({ isTooOld }) => isTooOld)
    ? 'it matches, but may be older than the interrupted run: its owner is unclear'
    : undefined;
}

const EDITED =
  'the object in its place has different values: it may have been edited since, or have another owner';
