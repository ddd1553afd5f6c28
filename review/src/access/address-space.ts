import type { CidrSet } from 'pulumi-edge-policy/internal/values/cidr-set';
import { cidrSetOf, toCidrs } from 'pulumi-edge-policy/internal/values/cidr-set';
import type { Cidr } from 'pulumi-edge-policy/internal/values/cidr';
import { networkAt } from 'pulumi-edge-policy/internal/values/cidr';

/** All addresses of both families. */
export const everything: CidrSet = cidrSetOf([networkAt(4, 0n, 0), networkAt(6, 0n, 0)]);

/** The least number of networks that make up a set, the largest first, and by address among equals. */
export const largestFirst = (set: CidrSet): Cidr[] =>
  [...toCidrs(set)].sort((left, right) => left.prefixLength - right.prefixLength);
