import { isIP } from 'node:net';

/** The two families of IP addresses; addresses of different families never compare, contain or overlap. */
export type Family = 4 | 6;

export interface Address {
  readonly family: Family;
  readonly value: bigint;
  /** Dotted decimal for IPv4, RFC 5952 for IPv6. */
  readonly text: string;
}

export interface AddressProblem {
  readonly reason: string;
}

export const addressBits = (family: Family): 32 | 128 => (family === 4 ? 32 : 128);

type IpCidr = typeof import('ip-cidr').default;
let ipCidr: IpCidr | undefined;

// It takes some 20 ms to load, which a program without a CIDR should not pay.
function addressLibrary(): IpCidr {
  ipCidr ??= (require('ip-cidr') as typeof import('ip-cidr')).default;
  return ipCidr;
}

const NUMBERS_WITH_DOTS = /^\d{1,9}(\.\d{1,9}){3}$/;

/** Strict: the library is lenient, and would read `64:ff9b::1.2.3.4` as the IPv4 address 1.2.3.4. */
export function parseAddress(text: string): Address | AddressProblem {
  const family = isIP(text);
  if (family === 0) return explain(text);
  if (text.includes('%')) return { reason: 'names a zone, which is only meaningful on one host' };
  const canonical = family === 4 ? text : canonicalIpv6(text);
  const groups = addressLibrary().createAddress(canonical).parsedAddress;
  const digits = groups.map((group) =>
    family === 4 ? Number(group).toString(16).padStart(2, '0') : group.padStart(4, '0'),
  );
  return { family: family === 4 ? 4 : 6, value: BigInt(`0x${digits.join('')}`), text: canonical };
}

/** The library takes ten times as long, which matters for long lists. */
export function formatAddress(family: Family, value: bigint | number): string {
  return family === 4 ? formatIpv4(Number(value)) : formatIpv6(BigInt(value));
}

const formatIpv4 = (value: number): string =>
  `${value >>> 24}.${(value >>> 16) & 255}.${(value >>> 8) & 255}.${value & 255}`;

const formatIpv6 = (value: bigint): string =>
  canonicalIpv6((value.toString(16).padStart(32, '0').match(/.{4}/g) ?? []).join(':'));

/** RFC 5952, as every URL writes the address of its host; the last two groups may be given as an IPv4 address. */
const canonicalIpv6 = (text: string): string => new URL(`http://[${text}]`).hostname.slice(1, -1);

function explain(text: string): AddressProblem {
  if (NUMBERS_WITH_DOTS.test(text))
    return {
      reason:
        'is not an IPv4 address: each of its four numbers must be between 0 and 255, without leading zeros',
    };
  return { reason: 'is not an IPv4 or IPv6 address or range in CIDR notation, such as 192.0.2.0/24' };
}
