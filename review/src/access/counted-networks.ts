import { type Cidr, parseCidr } from 'pulumi-edge-policy/internal/values/cidr';
import { type CidrSet, cidrSetOf, toCidrs } from 'pulumi-edge-policy/internal/values/cidr-set';
import { spend } from '../budget/budget';

/** A range of IPv4 is up to thirty networks, one of IPv6 up to two hundred: their number is charged to the review before they are made. */
const STEPS_PER_IPV4_RANGE = 80;
const STEPS_PER_IPV6_NETWORK = 20;
const STEPS_PER_TEXT = 100;

/** The fewest networks that make up a set, in order. */
export function networksIn(set: CidrSet): readonly Cidr[] {
  spend((set[4].length / 2) * STEPS_PER_IPV4_RANGE);
  for (let index = 0; index < set[6].length; index += 2)
    spend(STEPS_PER_IPV6_NETWORK * (1 + countNetworks(set[6][index] ?? 0n, set[6][index + 1] ?? 0n)));
  return toCidrs(set);
}

/** From its first address to an aligned one, and from there to its end, a range has one network for each bit of its length. */
function countNetworks(first: bigint, end: bigint): number {
  const differing = (first ^ end).toString(2).length - 1;
  const round = (end >> BigInt(differing)) << BigInt(differing);
  return bitsSetIn(round - first) + bitsSetIn(end - round);
}

const bitsSetIn = (value: bigint): number => value.toString(2).replaceAll('0', '').length;

/** The addresses of the networks in a file; texts that are no networks are ignored. */
export function setOfTexts(texts: readonly unknown[]): CidrSet {
  spend(STEPS_PER_TEXT * texts.length);
  return cidrSetOf(
    texts.flatMap((text) => {
      const parsed = typeof text === 'string' ? parseCidr(text) : undefined;
      return parsed?.ok === true ? [parsed.cidr] : [];
    }),
  );
}

/** The first of these networks. */
export const firstNetworkIn = (set: CidrSet): Cidr | undefined =>
  toCidrs({ 4: set[4].slice(0, 2), 6: set[6].slice(0, 2) })[0];

/** How many boundaries a set has, which is the cost of a walk through it. */
export const boundariesIn = (set: CidrSet): number => set[4].length + set[6].length;
