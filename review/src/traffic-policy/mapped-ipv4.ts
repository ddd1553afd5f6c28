import { networkAt } from 'pulumi-edge-policy/internal/values/cidr';
import type { CidrSet } from 'pulumi-edge-policy/internal/values/cidr-set';
import { cidrSetOf, covers, touches, union } from 'pulumi-edge-policy/internal/values/cidr-set';
import { allOf, anyOf, type Formula, whenIs } from './formula';

/** IPv4 addresses written as IPv6. */
const MAPPED = networkAt(6, 0xffff_0000_0000n, 96);
const IPV4 = networkAt(4, 0n, 0);
const allIpv4 = cidrSetOf([IPV4]);

/** The set with all of IPv4, if networks of IPv6 in it contain that of mapped addresses: it is not known which of the two is meant. */
export const withMappedIpv4 = (set: CidrSet): CidrSet =>
  touches(set, MAPPED) && !covers(set, IPV4) ? union(set, allIpv4) : set;

/** Holds for the clients in a set of networks. Whether IPv4 counts as mapped is one variable everywhere. */
export function whenIn(set: CidrSet): Formula {
  const own: Formula = { kind: 'addresses', set };
  if (withMappedIpv4(set) === set) return own;
  return anyOf([own, allOf([{ kind: 'addresses', set: allIpv4 }, whenIs('IPv4 in ::ffff:0:0/96', 'true')])]);
}
