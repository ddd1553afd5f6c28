import type { Family } from 'pulumi-edge-policy/internal/values/address';
import { networkAt, type Cidr, ipv4NetworkAt } from 'pulumi-edge-policy/internal/values/cidr';

export { networkIn } from 'pulumi-edge-policy/internal/values/cidr';

/**
 * A set of addresses: for each family a sorted list of where it begins, where it ends (exclusive), and so on. Equal sets have equal
 * lists, operations take linear time, and IPv4 addresses are numbers, which are ten times as fast as bigints.
 */
export interface CidrSet {
  readonly 4: readonly number[];
  readonly 6: readonly bigint[];
}

export const emptyCidrSet: CidrSet = { 4: [], 6: [] };

export const everything: CidrSet = { 4: [0, 2 ** 32], 6: [0n, 1n << 128n] };

/** The addresses that are in at least one of the networks, which may come in any order and overlap. */
export function cidrSetOf(networks: readonly Cidr[]): CidrSet {
  const ipv4: Range<number>[] = [];
  const ipv6: Range<bigint>[] = [];
  for (const network of networks) {
    if (network.family === 4) ipv4.push([network.first, network.last + 1]);
    else ipv6.push([network.first, network.last + 1n]);
  }
  return { 4: joined(ipv4), 6: joined(ipv6) };
}

export function union(a: CidrSet, b: CidrSet): CidrSet {
  if (a === everything || isEmptyCidrSet(b)) return a;
  if (b === everything || isEmptyCidrSet(a)) return b;
  return combined(a, b, IN_EITHER);
}

/** The addresses in at least one of the sets. One sort: joining them one by one would walk through all of them each time. */
export const unionAll = (sets: readonly CidrSet[]): CidrSet => ({
  4: joined(rangesOf(sets.flatMap((set) => set[4]))),
  6: joined(rangesOf(sets.flatMap((set) => set[6]))),
});

export function intersect(a: CidrSet, b: CidrSet): CidrSet {
  // Most sets of conditions are all addresses or none, so the other one need not be walked through.
  if (a === everything || isEmptyCidrSet(b)) return b;
  return b === everything || isEmptyCidrSet(a) ? a : combined(a, b, IN_BOTH);
}

export const subtract = (a: CidrSet, b: CidrSet): CidrSet =>
  isEmptyCidrSet(b) || isEmptyCidrSet(a) ? a : combined(a, b, ONLY_IN_FIRST);

export const complement = (set: CidrSet): CidrSet => subtract(everything, set);

export const isEmptyCidrSet = (set: CidrSet): boolean => set[4].length + set[6].length === 0;

export const sameCidrSet = (a: CidrSet, b: CidrSet): boolean =>
  isSameList(a[4], b[4]) && isSameList(a[6], b[6]);

/** Whether every address of a network is in the set, if only by several networks together. */
export const covers = (set: CidrSet, network: Cidr): boolean =>
  network.family === 4
    ? isWithin(set[4], network.first, network.last)
    : isWithin(set[6], network.first, network.last);

export const touches = (set: CidrSet, network: Cidr): boolean =>
  network.family === 4
    ? isTouched(set[4], network.first, network.last)
    : isTouched(set[6], network.first, network.last);

/** Whether two sets share an address. Each range of the first one, which should be the smaller one, is looked up in the other. */
export function overlap(small: CidrSet, large: CidrSet): boolean {
  const touchesAt = <A extends Address>(begins: readonly A[], isIn: (begin: A, end: A) => boolean) =>
    begins.some((begin, index) => index % 2 === 0 && isIn(begin, begins[index + 1] ?? begin));
  return (
    touchesAt(small[4], (begin, end) => isTouched(large[4], begin, end - 1)) ||
    touchesAt(small[6], (begin, end) => isTouched(large[6], begin, end - 1n))
  );
}

export function sizeOf(set: CidrSet, family: Family): bigint {
  if (family === 6)
    return set[6].reduce((size, boundary, index) => size + (index % 2 === 0 ? -boundary : boundary), 0n);
  return BigInt(set[4].reduce((size, boundary, index) => size + (index % 2 === 0 ? -boundary : boundary), 0));
}

/** The shortest list of networks that make up the set (there is only one): IPv4 first, then by address. */
export function toCidrs(set: CidrSet): readonly Cidr[] {
  const [ipv4, ipv6] = [ipv4NetworksOf(set[4]), ipv6NetworksOf(set[6])];
  return ipv6.length === 0 ? ipv4 : [...ipv4, ...ipv6];
}

type Address = number | bigint;

/** Where consecutive addresses begin, and the first address behind them. */
type Range<A extends Address> = readonly [begin: A, end: A];

/** Which addresses to keep, as one bit per case: in neither set, in the first only, in the second only, in both. */
const [IN_EITHER, IN_BOTH, ONLY_IN_FIRST] = [0b1110, 0b1000, 0b0010];

const combined = (a: CidrSet, b: CidrSet, kept: number): CidrSet => ({
  4: combine(a[4], b[4], kept),
  6: combine(a[6], b[6], kept),
});

/** Walks through both lists at once. After an odd number of its boundaries, an address is in a set. */
function combine<A extends Address>(a: readonly A[], b: readonly A[], kept: number): A[] {
  const boundaries: A[] = [];
  let isInside = 0;
  let i = 0;
  let j = 0;
  for (;;) {
    const left = a[i];
    const right = b[j];
    const next = left === undefined || (right !== undefined && right < left) ? right : left;
    if (next === undefined) return boundaries;
    if (left === next) i += 1;
    if (right === next) j += 1;
    if (((kept >> ((i & 1) + 2 * (j & 1))) & 1) === isInside) continue;
    boundaries.push(next);
    isInside = 1 - isInside;
  }
}

const isSameList = <A extends Address>(a: readonly A[], b: readonly A[]): boolean =>
  a === b || (a.length === b.length && a.every((boundary, index) => boundary === b[index]));

/** How many of some sorted things come first, as long as a test of them holds. */
export function countWhile<T>(sorted: readonly T[], isBefore: (each: T) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const there = sorted[middle];
    if (there !== undefined && isBefore(there)) low = middle + 1;
    else high = middle;
  }
  return low;
}

const boundariesUpTo = <A extends Address>(boundaries: readonly A[], address: A): number =>
  countWhile(boundaries, (each) => each <= address);

function isWithin<A extends Address>(boundaries: readonly A[], first: A, last: A): boolean {
  const passed = boundariesUpTo(boundaries, first);
  const end = boundaries[passed];
  return passed % 2 === 1 && end !== undefined && end > last;
}

function isTouched<A extends Address>(boundaries: readonly A[], first: A, last: A): boolean {
  const passed = boundariesUpTo(boundaries, first);
  const next = boundaries[passed];
  return passed % 2 === 1 || (next !== undefined && next <= last);
}

/** The boundaries of ranges that may come in any order and overlap. One that begins where another one ends is joined with it. */
function joined<A extends Address>(ranges: Range<A>[]): A[] {
  const boundaries: A[] = [];
  let last: A | undefined;
  for (const [begin, end] of ranges.sort(([left], [right]) => (left < right ? -1 : Number(left > right)))) {
    if (last === undefined || begin > last) {
      if (last !== undefined) boundaries.push(last);
      boundaries.push(begin);
      last = end;
    } else if (end > last) last = end;
  }
  if (last !== undefined) boundaries.push(last);
  return boundaries;
}

function rangesOf<A extends Address>(boundaries: readonly A[]): Range<A>[] {
  const ranges: Range<A>[] = [];
  for (const [index, begin] of boundaries.entries())
    if (index % 2 === 0) ranges.push([begin, boundaries[index + 1] ?? begin]);
  return ranges;
}

function ipv4NetworksOf(boundaries: readonly number[]): Cidr[] {
  const networks: Cidr[] = [];
  for (let index = 0; index < boundaries.length; index += 2) {
    const end = boundaries[index + 1] ?? 0;
    for (let next = boundaries[index] ?? 0; next < end;) {
      // Always the widest network that begins here and ends within the range.
      let hostBits = next === 0 ? 32 : 31 - Math.clz32(next & -next);
      while (next + 2 ** hostBits > end) hostBits -= 1;
      networks.push(ipv4NetworkAt(next, 32 - hostBits));
      next += 2 ** hostBits;
    }
  }
  return networks;
}

function ipv6NetworksOf(boundaries: readonly bigint[]): Cidr[] {
  const networks: Cidr[] = [];
  for (let index = 0; index < boundaries.length; index += 2) {
    const end = boundaries[index + 1] ?? 0n;
    // Networks grow up to the widest one of the range and shrink after it, so no width is tried twice in vain.
    let hostBits = 0;
    for (let next = boundaries[index] ?? 0n; next < end;) {
      while (hostBits < 128 && fits(next, end, hostBits + 1)) hostBits += 1;
      while (!fits(next, end, hostBits)) hostBits -= 1;
      networks.push(networkAt(6, next, 128 - hostBits));
      next += 1n << BigInt(hostBits);
    }
  }
  return networks;
}

function fits(first: bigint, end: bigint, hostBits: number): boolean {
  const size = 1n << BigInt(hostBits);
  return first % size === 0n && first + size <= end;
}
