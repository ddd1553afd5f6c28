import { type Cidr, contains, networkAt, parseCidr } from './cidr';
import { type CidrSet, cidrSetOf } from './cidr-set';

/** A network with a special use, so that no visitor from the public internet comes from it. */
export interface SpecialNetwork {
  readonly cidr: Cidr;
  readonly use: string;
}

/** From the IANA special-purpose registries (RFC 6890 and its updates), and the multicast ranges. */
const SPECIAL_IPV4: readonly (readonly [cidr: string, use: string])[] = [
  ['0.0.0.0/8', 'this host'],
  ['10.0.0.0/8', 'private use'],
  ['100.64.0.0/10', 'carrier-grade address translation'],
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link-local'],
  ['172.16.0.0/12', 'private use'],
  ['192.0.0.0/24', 'protocol assignments'],
  ['192.0.2.0/24', 'documentation'],
  ['192.168.0.0/16', 'private use'],
  ['198.18.0.0/15', 'benchmarking'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved'],
];

/** The IPv6 ones, by the first groups of the address: parsing such texts takes a library that is slow to load. */
const SPECIAL_IPV6: readonly (readonly [start: bigint, groups: number, prefixLength: number, use: string])[] =
  [
    [0n, 8, 128, 'this host'],
    [1n, 8, 128, 'loopback'],
    [0x64_ff9b_0001n, 3, 48, 'local address translation'],
    [0x100n, 1, 64, 'discard only'],
    [0x2001_0db8n, 2, 32, 'documentation'],
    [0x3fffn, 1, 20, 'documentation'],
    [0xfc00n, 1, 7, 'private use'],
    [0xfe80n, 1, 10, 'link-local'],
    [0xff00n, 1, 8, 'multicast'],
  ];

let parsed: readonly SpecialNetwork[] | undefined;
let all: CidrSet | undefined;

/** All special networks. */
function specialNetworks(): readonly SpecialNetwork[] {
  parsed ??= [
    ...SPECIAL_IPV4.flatMap(([text, use]) => {
      const result = parseCidr(text);
      return result.ok ? [{ cidr: result.cidr, use }] : [];
    }),
    ...SPECIAL_IPV6.map(([start, groups, prefixLength, use]) => ({
      cidr: networkAt(6, start << BigInt(128 - 16 * groups), prefixLength),
      use,
    })),
  ];
  return parsed;
}

/** The addresses of all special networks: most networks of a long list have none of them. */
export const specialSpace = (): CidrSet =>
  (all ??= cidrSetOf(specialNetworks().map((special) => special.cidr)));

/** The special network that holds every address of a network; undefined if only several together do. */
export const specialNetworkOf = (cidr: Cidr): SpecialNetwork | undefined =>
  specialNetworks().find((special) => contains(special.cidr, cidr));
