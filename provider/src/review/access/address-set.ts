import type { Family } from '../../values/address';
import { addressBits } from '../../values/address';
import type { Cidr } from '../../values/cidr';
import { networkAt } from '../../values/cidr';

/** Every address from `first` to `last`. */
export interface Range {
  readonly first: bigint;
  readonly last: bigint;
}

/** Addresses of one family as ranges: in order, and neither overlapping nor touching, so that equal sets look equal. */
export type AddressSet = readonly Range[];

/** All addresses of a family. */
export const everything = (family: Family): AddressSet => [
  { first: 0n, last: (1n << BigInt(addressBits(family))) - 1n },
];

/** The addresses in any of the ranges, which may overlap and come in any order. */
export function unionOf(ranges: readonly Range[]): AddressSet {
  const union: { first: bigint; last: bigint }[] = [];
  for (const { first, last } of [...ranges].sort(byFirst)) {
    const previous = union.at(-1);
    if (!previous || first > previous.last + 1n) union.push({ first, last });
    else if (last > previous.last) previous.last = last;
  }
  return union;
}

const byFirst = (left: Range, right: Range): number =>
  left.first < right.first ? -1 : left.first > right.first ? 1 : 0;

/** The addresses of `set` that are not in `other`. */
export function subtract(set: AddressSet, other: AddressSet): AddressSet {
  const rest: Range[] = [];
  let cursor = 0;
  for (const range of set) {
    let first = range.first;
    // A hole that ends before this range ends before all later ones too.
    while (cursor < other.length && (other[cursor]?.last ?? 0n) < first) cursor += 1;
    for (let index = cursor; index < other.length && first <= range.last; index += 1) {
      const hole = other[index];
      if (!hole || hole.first > range.last) break;
      if (hole.first > first) rest.push({ first, last: hole.first - 1n });
      first = hole.last + 1n;
    }
    if (first <= range.last) rest.push({ first, last: range.last });
  }
  return rest;
}

/** The addresses in both sets. */
export const intersect = (left: AddressSet, right: AddressSet): AddressSet =>
  subtract(left, subtract(left, right));

/** Whether every address of `inner` is in `outer`, found by bisection. */
export function includesRange(outer: AddressSet, inner: Range): boolean {
  const candidate = outer[indexOfLastStart(outer, inner.first)];
  return candidate !== undefined && candidate.last >= inner.last;
}

/** Whether some address of the range is in the set. */
export function touchesRange(set: AddressSet, range: Range): boolean {
  const candidate = set[indexOfLastStart(set, range.last)];
  return candidate !== undefined && candidate.last >= range.first;
}

/** The index of the last range that starts at or before an address; -1 if none does. */
function indexOfLastStart(set: AddressSet, address: bigint): number {
  let [low, high] = [0, set.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((set[middle]?.first ?? 0n) <= address) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** How many addresses a set has. */
export const sizeOf = (set: AddressSet): bigint =>
  set.reduce((sum, { first, last }) => sum + last - first + 1n, 0n);

/** The least number of networks that hold exactly these addresses, in order. */
export function toCidrs(family: Family, set: AddressSet): Cidr[] {
  return set.flatMap((range) => cidrsOfRange(family, range));
}

function cidrsOfRange(family: Family, { first, last }: Range): Cidr[] {
  const cidrs: Cidr[] = [];
  for (let start = first; start <= last;) {
    const hostBits = Math.min(trailingZeros(start, addressBits(family)), bitLength(last - start + 1n) - 1);
    const cidr = networkAt(family, start, addressBits(family) - hostBits);
    cidrs.push(cidr);
    start = cidr.last + 1n;
  }
  return cidrs;
}

const bitLength = (value: bigint): number => value.toString(2).length;

function trailingZeros(value: bigint, limit: number): number {
  return value === 0n ? limit : bitLength(value & -value) - 1;
}
