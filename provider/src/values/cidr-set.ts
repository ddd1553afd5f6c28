import { addressBits, type Family } from './address';
import { ipv4NetworkAt, networkAt, type Cidr } from './cidr';

/** All addresses from `first` to `last`, both included. */
export interface AddressRange {
  readonly first: bigint;
  readonly last: bigint;
}

/**
 * A set of addresses, the families apart. Ranges are sorted, and there is a gap between any two of them:
 * equal sets have equal ranges, and every operation takes time in proportion to the number of ranges.
 */
export type CidrSet = Readonly<Record<Family, readonly AddressRange[]>>;

const families: readonly Family[] = [4, 6];

/** The set without any address. */
export const emptyCidrSet: CidrSet = { 4: [], 6: [] };

/** The addresses that are in at least one of the networks, which may come in any order and overlap. */
export function cidrSetOf(networks: Iterable<Cidr>): CidrSet {
  const byFamily: Record<Family, Cidr[]> = { 4: [], 6: [] };
  for (const network of networks) byFamily[network.family].push(network);
  return eachFamily((family) => normalise(byFamily[family]));
}

/** The addresses in `a`, in `b`, or in both. */
export function union(a: CidrSet, b: CidrSet): CidrSet {
  if (isEmptyCidrSet(b)) return a;
  if (isEmptyCidrSet(a)) return b;
  return eachFamily((family) => normalise([...a[family], ...b[family]]));
}

/** The addresses in at least one of the sets: one sort, where joining them one by one would walk through all each time. */
export function unionAll(sets: readonly CidrSet[]): CidrSet {
  return eachFamily((family) => normalise(sets.flatMap((set) => set[family])));
}

/** The addresses in both `a` and `b`. */
export function intersect(a: CidrSet, b: CidrSet): CidrSet {
  return eachFamily((family) => intersectRanges(a[family], b[family]));
}

/** The addresses in `a` and not in `b`. */
export function subtract(a: CidrSet, b: CidrSet): CidrSet {
  if (isEmptyCidrSet(b) || isEmptyCidrSet(a)) return a;
  return eachFamily((family) => intersectRanges(a[family], gapsBetween(b[family], family)));
}

/** The addresses that are not in the set. */
export function complement(set: CidrSet): CidrSet {
  return eachFamily((family) => gapsBetween(set[family], family));
}

/** Whether a set holds no address of either family. */
export function isEmptyCidrSet(set: CidrSet): boolean {
  return families.every((family) => set[family].length === 0);
}

/** Whether two sets hold the same addresses. */
export function sameCidrSet(a: CidrSet, b: CidrSet): boolean {
  return families.every(
    (family) =>
      a[family].length === b[family].length &&
      a[family].every(
        ({ first, last }, index) => first === b[family][index]?.first && last === b[family][index].last,
      ),
  );
}

/** Whether every address of a network is in the set, be it by several networks together. */
export function covers(set: CidrSet, network: Cidr): boolean {
  const ranges = set[network.family];
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const isBefore = (ranges[middle]?.last ?? 0n) < network.first;
    if (isBefore) low = middle + 1;
    else high = middle;
  }
  const range = ranges[low];
  return range !== undefined && range.first <= network.first && network.last <= range.last;
}

/** How many addresses of a family are in the set. */
export function sizeOf(set: CidrSet, family: Family): bigint {
  return set[family].reduce((size, { first, last }) => size + last - first + 1n, 0n);
}

/** The shortest list of networks that make up the set (there is only one): IPv4 first, then by address. */
export function toCidrs(set: CidrSet): Cidr[] {
  return families.flatMap((family) => set[family].flatMap((range) => networksOf(range, family)));
}

const eachFamily = (rangesOf: (family: Family) => readonly AddressRange[]): CidrSet => ({
  4: rangesOf(4),
  6: rangesOf(6),
});

/** Sorts ranges, and joins those that overlap or touch. */
function normalise(ranges: readonly AddressRange[]): AddressRange[] {
  const sorted = isSorted(ranges) ? ranges : [...ranges].sort(byStart);
  const joined: { first: bigint; last: bigint }[] = [];
  for (const { first, last } of sorted) {
    const previous = joined.at(-1);
    if (previous === undefined || first > previous.last + 1n) joined.push({ first, last });
    else if (last > previous.last) previous.last = last;
  }
  return joined;
}

const byStart = (a: AddressRange, b: AddressRange): number =>
  a.first < b.first ? -1 : Number(a.first > b.first);

const isSorted = (ranges: readonly AddressRange[]): boolean => {
  for (let index = 1; index < ranges.length; index += 1) {
    const [previous, next] = [ranges[index - 1], ranges[index]];
    if (previous && next && previous.first > next.first) return false;
  }
  return true;
};

function intersectRanges(a: readonly AddressRange[], b: readonly AddressRange[]): AddressRange[] {
  const common: AddressRange[] = [];
  let [i, j] = [0, 0];
  for (;;) {
    const [left, right] = [a[i], b[j]];
    if (left === undefined || right === undefined) return common;
    const first = left.first > right.first ? left.first : right.first;
    const last = left.last < right.last ? left.last : right.last;
    if (first <= last) common.push({ first, last });
    // The range that ends first can meet nothing more.
    if (left.last < right.last) i += 1;
    else j += 1;
  }
}

/** What of the family's whole address space is in none of the ranges. */
function gapsBetween(ranges: readonly AddressRange[], family: Family): AddressRange[] {
  const gaps: AddressRange[] = [];
  let next = 0n;
  for (const { first, last } of ranges) {
    if (next < first) gaps.push({ first: next, last: first - 1n });
    next = last + 1n;
  }
  const end = (1n << BigInt(addressBits(family))) - 1n;
  if (next <= end) gaps.push({ first: next, last: end });
  return gaps;
}

/** From the start of the range, always the widest network that begins there and ends within it. */
function networksOf({ first, last }: AddressRange, family: Family): Cidr[] {
  if (family === 4) return ipv4NetworksOf(Number(first), Number(last));
  const networks: Cidr[] = [];
  // Networks grow up to the widest one of the range and shrink after it: no width is tried twice in vain.
  let hostBits = 0;
  for (let next = first; next <= last;) {
    while (hostBits < addressBits(family) && fits(next, last, hostBits + 1)) hostBits += 1;
    while (!fits(next, last, hostBits)) hostBits -= 1;
    const network = networkAt(family, next, addressBits(family) - hostBits);
    networks.push(network);
    next = network.last + 1n;
  }
  return networks;
}

/** The same in plain numbers, which are ten times as fast: a long list falls into thousands of networks. */
function ipv4NetworksOf(first: number, last: number): Cidr[] {
  const networks: Cidr[] = [];
  for (let next = first; next <= last;) {
    let hostBits = next === 0 ? 32 : Math.min(32, 31 - Math.clz32(next & -next));
    while (next + 2 ** hostBits - 1 > last) hostBits -= 1;
    networks.push(ipv4NetworkAt(next, 32 - hostBits));
    next += 2 ** hostBits;
  }
  return networks;
}

function fits(first: bigint, last: bigint, hostBits: number): boolean {
  const hostMask = (1n << BigInt(hostBits)) - 1n;
  return (first & hostMask) === 0n && (first | hostMask) <= last;
}
