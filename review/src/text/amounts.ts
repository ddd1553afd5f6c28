import { addressBits, type Family } from 'pulumi-edge-policy/internal/values/address';
import { type Cidr, sizeOfCidr } from 'pulumi-edge-policy/internal/values/cidr';
import { capitalised, count, foreign, listOf, say, type Sentence, trusted, withThousands } from './sentence';

export const familyName = (family: Family): 'IPv4' | 'IPv6' => (family === 4 ? 'IPv4' : 'IPv6');

export function sizeOfCidrs(cidrs: readonly Cidr[]): bigint {
  let ipv4 = 0;
  let ipv6 = 0n;
  for (const cidr of cidrs) {
    if (cidr.family === 4) ipv4 += cidr.last - cidr.first + 1;
    else ipv6 += sizeOfCidr(cidr);
  }
  return BigInt(ipv4) + ipv6;
}

const READABLE = 10n ** 15n;
const UNITS = [
  [1e12, 'trillion'],
  [1e9, 'billion'],
  [1e6, 'million'],
] as const;

/** `65,536`, `about 16.8 million`, `2^64`, `more than 2^64`: a reader compares sizes, and JSON has every digit. */
export function amountOf(size: bigint): Sentence {
  const unit = UNITS.find(([least]) => size >= least);
  if (!unit) return trusted(withThousands(size));
  if (size < READABLE) return trusted(`about ${Number((Number(size) / unit[0]).toPrecision(3))} ${unit[1]}`);
  const exponent = size.toString(2).length - 1;
  return trusted(`${size === 1n << BigInt(exponent) ? '' : 'more than '}2^${exponent}`);
}

/** `1 address`, `65,536 addresses`, `more than 2^64 addresses`. */
export const addressCount = (size: bigint): Sentence =>
  size === 1n ? trusted('1 address') : say`${amountOf(size)} addresses`;

/** Addresses of one family; of nearly all, how many are left out. */
export function sizeInFamily(family: Family, size: bigint): Sentence {
  const total = 1n << BigInt(addressBits(family));
  if (size === total) return trusted('every address');
  return (total - size) * 100n <= total ? say`all but ${addressCount(total - size)}` : addressCount(size);
}

/** The largest of some networks: `192.0.2.0/24, 198.51.100.0/25 and 3 more (400 addresses)`. */
export const networksWithSize = (cidrs: readonly Cidr[]): Sentence =>
  say`${listOf(cidrs, ({ text }) => foreign(text))} (${addressCount(sizeOfCidrs(cidrs))})`;

/** `allow rule 192.0.2.0/24`, or `3 allow rules (…)` with the first of them. */
export function rulesInWords(rules: readonly { readonly cidr: Cidr }[], noun: string): Sentence {
  const networks = listOf(rules, ({ cidr }) => foreign(cidr.text));
  return rules.length === 1
    ? say`${trusted(noun)} ${networks}`
    : say`${count(rules.length, noun)} (${networks})`;
}

/** Addresses of a family: if they are nearly all, those that are left out matter more. */
export function addressesInWords(family: Family, size: bigint, publicShare: number): Sentence {
  const name = trusted(familyName(family));
  const total = 1n << BigInt(addressBits(family));
  const rest = total - size;
  if (rest === 0n) return say`Every ${name} address`;
  if (rest * 100n <= total) return say`Every ${name} address but ${amountOf(rest)}`;
  if (size * 2n < total) return say`${Math.floor(publicShare * 100)} % of the public ${name} addresses`;
  return say`${capitalised(amountOf(size))} ${name} addresses (${(size * 100n) / total} %)`;
}
