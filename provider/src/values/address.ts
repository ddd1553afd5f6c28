import { isIP } from 'node:net';
import type * as ipCidrModule from 'ip-cidr';

/** The two families of IP addresses; addresses of different families never compare, contain or overlap. */
export type Family = 4 | 6;

/** One IP address in canonical form. */
export interface Address {
  readonly family: Family;
  readonly value: bigint;
  /** Dotted decimal for IPv4, RFC 5952 for IPv6. */
  readonly text: string;
}

/** Why a text is not an address. */
export interface AddressProblem {
  readonly reason: string;
}

/** Width of an address in bits. */
export const addressBits = (family: Family): 32 | 128 => (family === 4 ? 32 : 128);

type IpCidr = typeof ipCidrModule.default;
let ipCidr: IpCidr | undefined;

// Loaded at the first address: it takes some 20 ms, which a program without a CIDR should not pay.
function addressLibrary(): IpCidr {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- the only synchronous way to load late
  ipCidr ??= (require('ip-cidr') as typeof ipCidrModule).default;
  return ipCidr;
}

const DOTTED_TAIL = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/;
const NUMBERS_WITH_DOTS = /^\d{1,9}(\.\d{1,9}){3}$/;

/**
 * Reads one address, strictly. The library is lenient where an access policy must not be (it reads `64:ff9b::1.2.3.4` as the
 * IPv4 address 1.2.3.4), so the text is checked before the library sees it.
 */
export function parseAddress(text: string): Address | AddressProblem {
  const family = isIP(text);
  if (family === 0) return explain(text);
  if (text.includes('%')) return { reason: 'names a zone, which is only meaningful on one host' };
  const address = addressLibrary().createAddress(family === 6 ? withoutDottedTail(text) : text);
  const groups = address.parsedAddress;
  if (family === 4) return { family: 4, value: BigInt(ipv4Number(groups)), text };
  const value = BigInt(`0x${groups.map((group) => group.padStart(4, '0')).join('')}`);
  return { family: 6, value, text: formatAddress(6, value) };
}

/** Writes an address in canonical form. The library takes ten times as long, which matters for long lists. */
export function formatAddress(family: Family, value: bigint | number): string {
  return family === 4 ? formatIpv4(Number(value)) : formatIpv6(BigInt(value));
}

const formatIpv4 = (value: number): string =>
  `${value >>> 24}.${(value >>> 16) & 255}.${(value >>> 8) & 255}.${value & 255}`;

/** RFC 5952, as every URL writes the address of its host. */
function formatIpv6(value: bigint): string {
  const groups = value.toString(16).padStart(32, '0').match(/.{4}/g) ?? [];
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}

const ipv4Number = (octets: readonly string[]): number =>
  octets.reduce((number, octet) => number * 256 + Number(octet), 0);

/** `64:ff9b::192.0.2.1` is another notation of `64:ff9b::c000:201`. */
function withoutDottedTail(text: string): string {
  const match = DOTTED_TAIL.exec(text);
  if (match === null) return text;
  const [, head = '', ...octets] = match;
  const number = ipv4Number(octets);
  return `${head}${(number >>> 16).toString(16)}:${(number & 0xffff).toString(16)}`;
}

function explain(text: string): AddressProblem {
  if (NUMBERS_WITH_DOTS.test(text))
    return {
      reason:
        'is not an IPv4 address: each of its four numbers must be between 0 and 255, without leading zeros',
    };
  return { reason: 'is not an IPv4 or IPv6 address or range in CIDR notation, such as 192.0.2.0/24' };
}
