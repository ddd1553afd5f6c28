import { grouped } from 'pulumi-edge-policy/internal/values/grouped';
import { type Known, valueOf } from './known';
import { compareText } from '../text/sentence';

/** Declarations of one kind, by the object of the service that they are for. Several declarations for one object are a conflict. */
export interface BySubject<T> {
  readonly all: readonly T[];
  readonly placed: ReadonlyMap<string, readonly T[]>;
  /** Declarations whose object is hidden: they may be for any. */
  readonly unplaced: readonly T[];
}

export const bySubject = <T>(
  all: readonly T[],
  subjectOf: (declaration: T) => Known<string>,
): BySubject<T> => ({
  all,
  placed: grouped(
    all.filter((declaration) => subjectOf(declaration).isKnown),
    (declaration) => valueOf(subjectOf(declaration)) ?? '',
  ),
  unplaced: all.filter((declaration) => !subjectOf(declaration).isKnown),
});

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
