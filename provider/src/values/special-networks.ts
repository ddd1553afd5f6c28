import { type Cidr, networkAt, networkIn } from './cidr';

/** From the IANA special-purpose registries (RFC 6890 and its updates), and the multicast ranges. */
const SPECIAL_IPV4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24'],
  ...['203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
];

/** The IPv6 ones, by the first groups of the address: parsing such texts takes a library that is slow to load. */
const SPECIAL_IPV6: readonly (readonly [start: bigint, groups: number, prefixLength: number])[] = [
  [0n, 8, 128],
  [1n, 8, 128],
  [0x64_ff9b_0001n, 3, 48],
  [0x100n, 1, 64],
  [0x2001_0db8n, 2, 32],
  [0x3fffn, 1, 20],
  [0xfc00n, 1, 7],
  [0xfe80n, 1, 10],
  [0xff00n, 1, 8],
];

/** IPv4 in IPv6: mapped, translated, 6to4. Visitors may come from there, but no publisher has to write them so. */
export const ipv4InIpv6 = (): readonly Cidr[] => [
  networkAt(6, 0xffffn << 32n, 96),
  networkAt(6, 0x64_ff9bn << 96n, 96),
  networkAt(6, 0x2002n << 112n, 16),
];

let all: readonly Cidr[] | undefined;

/** All networks with a special use: no visitor from the public internet comes from them. */
export const specialNetworks = (): readonly Cidr[] =>
  (all ??= [
    ...SPECIAL_IPV4.flatMap((text) => networkIn(text) ?? []),
    ...SPECIAL_IPV6.map(([start, groups, prefixLength]) =>
      networkAt(6, start << BigInt(128 - 16 * groups), prefixLength),
    ),
  ]);
