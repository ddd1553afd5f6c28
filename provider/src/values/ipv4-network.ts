// IPv4 networks as numbers, which are faster than the large integers of IPv6: nearly all networks of a long list are IPv4.
import { formatAddress } from './address';
import type { Ipv4Cidr } from './cidr';

const network = (first: number, prefixLength: number, text: string): Ipv4Cidr => ({
  text,
  family: 4,
  prefixLength,
  first,
  last: first + 2 ** (32 - prefixLength) - 1,
});

// V8 stores the addresses of all networks in the representation of the first ones. If these were small numbers, it would convert
// every existing network at the first large one, at a microsecond each.
network(0xffff_ffff, 32, '255.255.255.255/32');

/** The IPv4 network that begins at `first`, which must not have host bits. */
export const ipv4NetworkAt = (first: number, prefixLength: number): Ipv4Cidr =>
  network(first, prefixLength, `${formatAddress(4, first)}/${prefixLength}`);

const OCTET = '(0|[1-9][0-9]{0,2})';
const CANONICAL = new RegExp(String.raw`^${OCTET}\.${OCTET}\.${OCTET}\.${OCTET}/([0-9]|[12][0-9]|3[0-2])$`);

/** A canonical IPv4 network with its prefix length; undefined for any other text. */
export function canonicalIpv4(text: string): Ipv4Cidr | undefined {
  const parts = CANONICAL.exec(text);
  if (parts === null) return undefined;
  let first = 0;
  for (let part = 1; part <= 4; part += 1) {
    const octet = Number(parts[part]);
    if (octet > 255) return undefined;
    first = first * 256 + octet;
  }
  const prefixLength = Number(parts[5]);
  return first % 2 ** (32 - prefixLength) === 0 ? network(first, prefixLength, text) : undefined;
}
