import type { Cidr } from '../values/cidr';
import { compareCidrs, parseCidr } from '../values/cidr';

/** A network in canonical text, with what orders it among others. */
export interface Network {
  readonly text: string;
  /** Orders IPv4 networks; for IPv6, whose addresses fit no number, the parsed network does. */
  readonly order: number;
  readonly ipv6?: Cidr;
}

/** What became of a text: a network, or the sentence that refuses it. */
export type NetworkReading = Network | { readonly refusal: string };

const ipv4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})(?:\/(\d{1,2}))?$/;

/**
 * Reads a network as `parseCidr` does. Canonical IPv4, which is nearly all of a long list, is read without it: the
 * strict reading takes 8 µs, and a set is checked at every preview.
 */
export function readNetwork(text: string): NetworkReading {
  const quick = readCanonicalIpv4(text);
  if (quick !== undefined) return quick;
  const parsed = parseCidr(text);
  if (!parsed.ok) return { refusal: parsed.reason };
  const { cidr } = parsed;
  if (cidr.family === 6) return { text: cidr.text, order: 0, ipv6: cidr };
  return { text: cidr.text, order: orderOf(cidr.first, cidr.prefixLength) };
}

/** The canonical text of a network as the service sent it; a text that is none stays as it is. */
export function canonicalNetworkText(text: string): string {
  const reading = readNetwork(text);
  return 'refusal' in reading ? text : reading.text;
}

/** Whether a text is a network. */
export const isNetwork = (text: string): boolean => !('refusal' in readNetwork(text));

/** Sort order: IPv4 before IPv6, then by first address, then the wider network first. */
export function compareNetworks(a: Network, b: Network): number {
  if (a.ipv6 === undefined && b.ipv6 === undefined) return a.order - b.order;
  if (a.ipv6 === undefined || b.ipv6 === undefined) return a.ipv6 === undefined ? -1 : 1;
  return compareCidrs(a.ipv6, b.ipv6);
}

const orderOf = (first: number, prefixLength: number): number => first * 64 + prefixLength;

/** Only what is canonical already, or a bare address; everything else is left to the strict reading and its sentences. */
function readCanonicalIpv4(text: string): Network | undefined {
  const match = ipv4.exec(text);
  if (match === null) return undefined;
  let first = 0;
  for (let part = 1; part <= 4; part += 1) {
    const digits = match[part] ?? '';
    const octet = Number(digits);
    if (octet > 255 || hasLeadingZero(digits)) return undefined;
    first = first * 256 + octet;
  }
  const prefix = match[5];
  const prefixLength = prefix === undefined ? 32 : Number(prefix);
  if (prefixLength > 32 || (prefix !== undefined && hasLeadingZero(prefix))) return undefined;
  if (first % 2 ** (32 - prefixLength) !== 0) return undefined;
  return { text: prefix === undefined ? `${text}/32` : text, order: orderOf(first, prefixLength) };
}

const hasLeadingZero = (digits: string): boolean => digits.length > 1 && digits.startsWith('0');
