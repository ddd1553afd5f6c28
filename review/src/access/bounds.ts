import type { CidrSet } from './cidr-set';
import { emptyCidrSet, intersect, isEmptyCidrSet, sameCidrSet, subtract, union } from './cidr-set';

/** What holds whatever the hidden parts turn out to be, and what may hold. Equal if everything is known. */
export interface AddressBounds {
  readonly surely: CidrSet;
  readonly possibly: CidrSet;
}

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

export function changeInAny(cases: readonly BoundedChange[]): BoundedChange {
  const join = (key: keyof BoundedChange) => boundsOfAny(cases.map((bounds) => bounds[key]));
  return { before: join('before'), after: join('after'), gained: join('gained'), lost: join('lost') };
}

export const boundsOfAny = (cases: readonly AddressBounds[]): AddressBounds =>
  cases.reduce((one, other) => ({
    surely: intersect(one.surely, other.surely),
    possibly: union(one.possibly, other.possibly),
  }));

/** Bounds of both sides that ignore how the two depend on each other. */
export const independently = (before: AddressBounds, after: AddressBounds): BoundedChange => ({
  ...{ before, after },
  gained: onlyIn(after, before),
  lost: onlyIn(before, after),
});

function onlyIn(one: AddressBounds, other: AddressBounds): AddressBounds {
  const surely = difference(one.surely, other.possibly);
  const isDecided = one.surely === one.possibly && other.surely === other.possibly;
  return isDecided ? exactly(surely) : { surely, possibly: difference(one.possibly, other.surely) };
}

const difference = (left: CidrSet, right: CidrSet): CidrSet =>
  left === right ? emptyCidrSet : subtract(left, right);
