// What for: the emulator's own reading of networks.
// Must not know: the provider's reading: a mistake must not pass on both sides.
import { isIPv4, isIPv6 } from 'node:net';

/** A CIDR, or a bare address, as numbers. */
export interface Network {
  readonly family: 4 | 6;
  readonly address: bigint;
  readonly prefixLength: number;
  readonly hasPrefixLength: boolean;
}

const bitsOf = (family: 4 | 6): number => (family === 4 ? 32 : 128);

/** Reads `address` or `address/length`; undefined for anything looser (zones, leading zeros, several slashes). */
export function parseNetwork(text: string): Network | undefined {
  const match = /^([0-9A-Fa-f.:]{2,45})(?:\/(0|[1-9]\d{0,2}))?$/.exec(text);
  const addressText = match?.[1];
  if (addressText === undefined) return undefined;
  const family = isIPv4(addressText) ? 4 : isIPv6(addressText) ? 6 : undefined;
  if (family === undefined) return undefined;
  const prefixLength = match?.[2] === undefined ? bitsOf(family) : Number(match[2]);
  if (prefixLength > bitsOf(family)) return undefined;
  const address = family === 4 ? parseIpv4(addressText) : parseIpv6(addressText);
  return { family, address, prefixLength, hasPrefixLength: match?.[2] !== undefined };
}

/** The network with its host bits cleared. */
export function withoutHostBits(network: Network): Network {
  const hostBits = BigInt(bitsOf(network.family) - network.prefixLength);
  return { ...network, address: (network.address >> hostBits) << hostBits, hasPrefixLength: true };
}

/** `address/length`, IPv6 in the form of RFC 5952. */
export function formatNetwork(network: Network): string {
  const address = network.family === 4 ? formatIpv4(network.address) : formatIpv6(network.address);
  return `${address}/${network.prefixLength}`;
}

function parseIpv4(text: string): bigint {
  return text.split('.').reduce((sum, part) => (sum << 8n) | BigInt(part), 0n);
}

/** The platform writes any IPv6 address as groups of hexadecimal digits, as RFC 5952 says. */
const canonicalGroups = (text: string): string => new URL(`http://[${text}]`).hostname.slice(1, -1);

function parseIpv6(text: string): bigint {
  const [left = [], right = []] = canonicalGroups(text)
    .split('::')
    .map((groups) => groups.split(':').filter((group) => group !== ''));
  const zeros = Array<string>(8 - left.length - right.length).fill('0');
  return [...left, ...zeros, ...right].reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n);
}

function formatIpv4(address: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => String((address >> shift) & 0xffn)).join('.');
}

function formatIpv6(address: bigint): string {
  const isMappedIpv4 = address >> 32n === 0xffffn;
  if (isMappedIpv4) return `::ffff:${formatIpv4(address & 0xffff_ffffn)}`;
  const groups = Array.from({ length: 8 }, (_, index) => (address >> BigInt(112 - 16 * index)) & 0xffffn);
  return canonicalGroups(groups.map((group) => group.toString(16)).join(':'));
}
