import type { Cidr } from 'pulumi-edge-policy/internal/values/cidr';
import { contains, parseCidr } from 'pulumi-edge-policy/internal/values/cidr';
import type { CidrSet } from 'pulumi-edge-policy/internal/values/cidr-set';
import { cidrSetOf, covers } from 'pulumi-edge-policy/internal/values/cidr-set';

/** A network that has a use of its own, so that no visitor from the public internet comes from it. */
export interface SpecialNetwork {
  readonly cidr: Cidr;
  readonly use: string;
}

/** From the IANA special-purpose registries (RFC 6890 and its updates), and the multicast ranges. */
const SPECIAL: readonly (readonly [cidr: string, use: string])[] = [
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
  ['::/128', 'this host'],
  ['::1/128', 'loopback'],
  ['64:ff9b:1::/48', 'local address translation'],
  ['100::/64', 'discard only'],
  ['2001:db8::/32', 'documentation'],
  ['3fff::/20', 'documentation'],
  ['fc00::/7', 'private use'],
  ['fe80::/10', 'link-local'],
  ['ff00::/8', 'multicast'],
];

let parsed: readonly SpecialNetwork[] | undefined;
let all: CidrSet | undefined;

/** All special networks. */
export function specialNetworks(): readonly SpecialNetwork[] {
  parsed ??= SPECIAL.flatMap(([text, use]) => {
    const result = parseCidr(text);
    return result.ok ? [{ cidr: result.cidr, use }] : [];
  });
  return parsed;
}

/** The special network that holds every address of a network, if one does. */
export function specialNetworkOf(cidr: Cidr): SpecialNetwork | undefined {
  all ??= cidrSetOf(specialNetworks().map((special) => special.cidr));
  // Nearly every network of a long list is in none, and this tells in a few steps.
  if (!covers(all, cidr)) return undefined;
  return specialNetworks().find((special) => contains(special.cidr, cidr));
}
