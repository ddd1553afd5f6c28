import { addressBits, type Family } from 'pulumi-edge-policy/internal/values/address';
import { type Cidr, networkAt } from 'pulumi-edge-policy/internal/values/cidr';
import {
  type CidrSet,
  cidrSetOf,
  intersect,
  sizeOf,
  subtract,
  union,
} from 'pulumi-edge-policy/internal/values/cidr-set';
import { specialSpace } from 'pulumi-edge-policy/internal/values/special-networks';
import { memoryOfReview } from '../budget/budget';
import { networksIn } from './counted-networks';

/** All addresses of both families. */
export const everything: CidrSet = cidrSetOf([networkAt(4, 0n, 0), networkAt(6, 0n, 0)]);

/** The least number of networks that make up a set, the largest first, and by address among equals. */
export function largestFirst(set: CidrSet): readonly Cidr[] {
  const networks = knownOrder().get(set) ?? byLength(networksIn(set));
  knownOrder().set(set, networks);
  return networks;
}

// Several parts of a report ask for the networks of one set, which may be thousands.
const knownOrder = memoryOfReview<CidrSet, readonly Cidr[]>();

function byLength(networks: readonly Cidr[]): Cidr[] {
  const lengths: Cidr[][] = [];
  for (const network of networks) (lengths[network.prefixLength] ??= []).push(network);
  return lengths.flat();
}

/** How much of the internet is in a set: visitors come from there, not from special-purpose networks. */
export interface PublicSize {
  readonly family: Family;
  readonly size: bigint;
  /** From 0 to 1. */
  readonly share: number;
}

/** `64:ff9b::/96`: an address of it stands for the IPv4 address in its last 32 bits (NAT64, RFC 6052). */
const NAT64_START = 0x64ff9bn << 96n;
const NAT64 = networkAt(6, NAT64_START, 96);
/** All that is routed of IPv6. */
const GLOBAL_UNICAST = networkAt(6, 0x2000n << 112n, 3);

let space: { readonly set: CidrSet; readonly sizes: Readonly<Record<Family, bigint>> } | undefined;

function publicSpace() {
  if (space) return space;
  const routed = cidrSetOf([networkAt(4, 0n, 0), GLOBAL_UNICAST]);
  const set = subtract(routed, specialSpace());
  space = { set, sizes: { 4: sizeOf(set, 4), 6: sizeOf(set, 6) } };
  return space;
}

// Several findings are graded by one set.
const knownSizes = new WeakMap<CidrSet, readonly PublicSize[]>();

/** How much of the public space of each family a set reaches; what NAT64 stands for counts as IPv4. */
export function publicSizes(reached: CidrSet): readonly PublicSize[] {
  const sizes = knownSizes.get(reached) ?? measure(reached);
  knownSizes.set(reached, sizes);
  return sizes;
}

function measure(reached: CidrSet): readonly PublicSize[] {
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

/** As many addresses as an IPv4 /16 or an IPv6 /32 are no longer one site or one provider's customer. */
export const isWide = ({ family, size }: PublicSize): boolean =>
  size >= 1n << BigInt(addressBits(family) - (family === 4 ? 16 : 32));

/** Nine tenths of the public space: whoever is left out is the exception. */
export const isNearlyAll = ({ share }: PublicSize): boolean => share >= 0.9;
