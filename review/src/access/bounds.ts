import type { CidrSet } from './cidr-set';
import { emptyCidrSet, intersect, isEmptyCidrSet, sameCidrSet, subtract, union } from './cidr-set';

/** What holds whatever the hidden parts turn out to be, and what may hold. Equal if everything is known. */
export interface Bounds<Value> {
  readonly surely: Value;
  readonly possibly: Value;
}

export type AddressBounds = Bounds<CidrSet>;

export const exactly = (set: CidrSet): AddressBounds => ({ surely: set, possibly: set });

export const isExact = ({ surely, possibly }: AddressBounds): boolean =>
  surely === possibly || sameCidrSet(surely, possibly);

export const isSurelyEmpty = ({ possibly }: AddressBounds): boolean => isEmptyCidrSet(possibly);

export interface BoundedChange {
  readonly before: AddressBounds;
  readonly after: AddressBounds;
  readonly gained: AddressBounds;
  readonly lost: AddressBounds;
}

/** One way in which the hidden parts can turn out, for both sides at once. */
export interface Possibility {
  readonly before: CidrSet;
  readonly after: CidrSet;
}

/**
 * The bounds over all ways in which the hidden parts can turn out. Each address may turn out differently, so an address that is
 * gained in some way is possibly gained, and one that is gained in all ways surely.
 */
export function boundsOver(possibilities: readonly Possibility[]): BoundedChange {
  return {
    before: boundsOf(possibilities.map(({ before }) => before)),
    after: boundsOf(possibilities.map(({ after }) => after)),
    gained: boundsOf(possibilities.map(({ before, after }) => difference(after, before))),
    lost: boundsOf(possibilities.map(({ before, after }) => difference(before, after))),
  };
}

/** Joins the bounds of alternative cases. */
export function boundsOfAny(cases: readonly BoundedChange[]): BoundedChange {
  const join = (key: keyof BoundedChange): AddressBounds => ({
    surely: boundsOf(cases.map((bounds) => bounds[key].surely)).surely,
    possibly: boundsOf(cases.map((bounds) => bounds[key].possibly)).possibly,
  });
  return { before: join('before'), after: join('after'), gained: join('gained'), lost: join('lost') };
}

/** Bounds of both sides that ignore how the two depend on each other. */
export function independently(before: AddressBounds, after: AddressBounds): BoundedChange {
  if (before.surely === before.possibly && after.surely === after.possibly)
    return boundsOver([{ before: before.surely, after: after.surely }]);
  return {
    before,
    after,
    gained: {
      surely: difference(after.surely, before.possibly),
      possibly: difference(after.possibly, before.surely),
    },
    lost: {
      surely: difference(before.surely, after.possibly),
      possibly: difference(before.possibly, after.surely),
    },
  };
}

const difference = (left: CidrSet, right: CidrSet): CidrSet =>
  left === right ? emptyCidrSet : subtract(left, right);

function boundsOf(sets: readonly CidrSet[]): AddressBounds {
  const [first = emptyCidrSet, ...others] = sets;
  return others.reduce<AddressBounds>(
    ({ surely, possibly }, set) => ({ surely: intersect(surely, set), possibly: union(possibly, set) }),
    exactly(first),
  );
}
