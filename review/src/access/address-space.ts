import type { CidrSet } from 'pulumi-edge-policy/internal/values/cidr-set';
import { cidrSetOf, covers, subtract } from 'pulumi-edge-policy/internal/values/cidr-set';
import type { Cidr } from 'pulumi-edge-policy/internal/values/cidr';
import { networkAt } from 'pulumi-edge-policy/internal/values/cidr';

/** All addresses of both families. */
export const everything: CidrSet = cidrSetOf([networkAt(4, 0n, 0), networkAt(6, 0n, 0)]);

/** Tells for many networks whether some address of each is in a set: none is, if all of them are in the complement. */
export function touching(set: CidrSet): (network: Cidr) => boolean {
  const complement = subtract(everything, set);
  return (network) => !covers(complement, network);
}
