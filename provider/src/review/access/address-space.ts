import type { CidrSet } from '../../values/cidr-set';
import { cidrSetOf, covers, subtract } from '../../values/cidr-set';
import type { Cidr } from '../../values/cidr';
import { networkAt } from '../../values/cidr';

/** All addresses of both families. */
export const everything: CidrSet = cidrSetOf([networkAt(4, 0n, 0), networkAt(6, 0n, 0)]);

/** Tells for many networks whether some address of each is in a set: none is, if all of them are in the complement. */
export function touching(set: CidrSet): (network: Cidr) => boolean {
  const complement = subtract(everything, set);
  return (network) => !covers(complement, network);
}
