import type { Known } from './known';
import { compareText } from '../text/sentence';

/** Declarations of one kind, by the object of the service that they are for. Several declarations for one object are a conflict. */
export interface BySubject<T> {
  readonly all: readonly T[];
  readonly placed: ReadonlyMap<string, readonly T[]>;
  /** Declarations whose object is hidden: they may be for any. */
  readonly unplaced: readonly T[];
}

/** Things by a key, in the order of the first ones. */
export function grouped<T, Key = string>(
  things: readonly T[],
  keyOf: (thing: T) => Key,
): Map<Key, [T, ...T[]]> {
  const groups = new Map<Key, [T, ...T[]]>();
  for (const thing of things) {
    const key = keyOf(thing);
    const group = groups.get(key);
    if (group) group.push(thing);
    else groups.set(key, [thing]);
  }
  return groups;
}

/** Groups declarations by the object they are for. */
export function bySubject<T>(all: readonly T[], subjectOf: (declaration: T) => Known<string>): BySubject<T> {
  const placed = new Map<string, T[]>();
  const unplaced: T[] = [];
  for (const declaration of all) {
    const subject = subjectOf(declaration);
    const group = subject.isKnown ? placed.get(subject.value) : unplaced;
    if (group) group.push(declaration);
    else if (subject.isKnown) placed.set(subject.value, [declaration]);
  }
  return { all, placed, unplaced };
}

/** The declarations for one object on both sides of a change. */
export interface Pairing<T> {
  readonly subject: string;
  readonly before: readonly T[];
  readonly after: readonly T[];
}

/** Pairs both sides of every object, in the order of the identifiers. */
export const pairsOf = <T>(before: BySubject<T>, after: BySubject<T>): Pairing<T>[] =>
  [...new Set([...before.placed.keys(), ...after.placed.keys()])].sort(compareText).map((subject) => ({
    subject,
    before: before.placed.get(subject) ?? [],
    after: after.placed.get(subject) ?? [],
  }));
