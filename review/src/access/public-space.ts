import { addressBits, type Family } from 'pulumi-edge-policy/internal/values/address';
import { type Cidr, contains, networkAt, overlaps } from 'pulumi-edge-policy/internal/values/cidr';
import type { CidrSet } from './cidr-set';
import { cidrSetOf, emptyCidrSet, everything, intersect, sizeOf, subtract, toCidrs, union } from './cidr-set';
import { specialNetworks } from 'pulumi-edge-policy/internal/values/special-networks';
import { FAMILIES } from './policy-side';
import { addressCount, familyName, networksWithSize, sizeOfCidrs } from '../text/amounts';
import { foreign, list, listOf, say, type Sentence, trusted } from '../text/sentence';

/** The fewest networks that make up a set, the largest first, and by address among equals. */
export const largestFirst = (set: CidrSet): readonly Cidr[] =>
  [...toCidrs(set)].sort((left, right) => left.prefixLength - right.prefixLength);

export const firstNetworkIn = (set: CidrSet): Cidr | undefined =>
  toCidrs({ 4: set[4].slice(0, 2), 6: set[6].slice(0, 2) })[0];

/** The share of the public internet in a set. Special-purpose networks do not count, as no visitors come from there. */
interface PublicSize {
  readonly family: Family;
  readonly size: bigint;
  readonly share: number;
}

/** `64:ff9b::/96`: its addresses represent the IPv4 address in their last 32 bits (NAT64, RFC 6052). */
const NAT64_START = 0x64ff9bn << 96n;
const NAT64 = networkAt(6, NAT64_START, 96);
/** All IPv6 space that is routed. */
const GLOBAL_UNICAST = networkAt(6, 0x2000n << 112n, 3);

let space: { readonly set: CidrSet; readonly sizes: Readonly<Record<Family, bigint>> } | undefined;

function publicSpace() {
  if (space) return space;
  const routed = cidrSetOf([networkAt(4, 0n, 0), GLOBAL_UNICAST]);
  const set = subtract(routed, cidrSetOf(specialNetworks()));
  space = { set, sizes: { 4: sizeOf(set, 4), 6: sizeOf(set, 6) } };
  return space;
}

/** The share of each family's public space in a set; NAT64 addresses count as IPv4. */
export function publicSizes(reached: CidrSet): readonly PublicSize[] {
  const { set, sizes } = publicSpace();
  const translated: CidrSet = {
    4: intersect(reached, cidrSetOf([NAT64]))[6].map((boundary) => Number(boundary - NAT64_START)),
    6: [],
  };
  const visible = intersect(union(reached, translated), set);
  return ([4, 6] as const).map((family) => {
    const size = sizeOf(visible, family);
    return { family, size, share: Number((size * 1_000_000n) / sizes[family]) / 1_000_000 };
  });
}

/** The part of a family's addresses that a network reaches: of IPv4 also through NAT64. */
export function partIn(family: Family, network: Cidr): Cidr | undefined {
  if (network.family === family) return network;
  if (family === 6 || !overlaps(network, NAT64)) return undefined;
  const start = contains(network, NAT64) ? 0n : BigInt(network.first) - NAT64_START;
  return networkAt(4, start, Math.max(network.prefixLength - 96, 0));
}

/** From an IPv4 /16 or an IPv6 /32 on, it is more than one site or one provider's customer. */
export const isWide = ({ family, size }: PublicSize): boolean =>
  size >= 1n << BigInt(addressBits(family) - (family === 4 ? 16 : 32));

/** Nine tenths of the public space: being left out is the exception. */
export const isNearlyAll = ({ share }: PublicSize): boolean => share >= 0.9;

/** The largest part of the public addresses of a family that a set has, by which equal severities are sorted. */
export const shareOf = (set: CidrSet): number => Math.max(...publicSizes(set).map(({ share }) => share), 0);

/** The networks of a set, the largest first. Nearly everything is said by what is left out, which a reader can check. */
export function gainInWords(gained: CidrSet): Sentence {
  const parts = FAMILIES.map((family) => ({ ...emptyCidrSet, [family]: gained[family] }));
  if (!parts.some(isSaidByRest)) return networksWithSize(largestFirst(gained));
  // What is left out comes last, so that nothing else is taken for left out.
  const listed = parts.filter((part) => !isSaidByRest(part)).flatMap(largestFirst);
  const words = [
    ...(listed.length === 0 ? [] : [listOf(listed, ({ text }) => foreign(text))]),
    ...parts.filter(isSaidByRest).map(allExcept),
  ];
  return say`${list(words)} (${addressCount(sizeOfCidrs(toCidrs(gained)))})`;
}

/** A handful of networks needs no other words. */
const FEW = 4;

/** Whether a set of one family is nearly all of it, and its complement is the shorter list. */
export function isSaidByRest(part: CidrSet): boolean {
  const networks = toCidrs(part).length;
  return networks > FEW && publicSizes(part).some(isNearlyAll) && toCidrs(restOf(part)).length < networks;
}

function restOf(part: CidrSet): CidrSet {
  const family = part[4].length > 0 ? 4 : 6;
  return subtract({ ...emptyCidrSet, [family]: everything[family] }, part);
}

function allExcept(part: CidrSet): Sentence {
  const rest = largestFirst(restOf(part));
  const family = trusted(familyName(rest[0]?.family ?? 4));
  return say`all of ${family} except ${listOf(rest, ({ text }) => foreign(text))}`;
}
