import { type Cidr, parseCidr } from 'pulumi-edge-policy/internal/values/cidr';
import { type CidrSet, cidrSetOf, toCidrs } from 'pulumi-edge-policy/internal/values/cidr-set';

/** The addresses of the networks in a file; texts that are no networks are ignored. */
export const setOfTexts = (texts: readonly unknown[]): CidrSet =>
  cidrSetOf(
    texts.flatMap((text) => {
      const parsed = typeof text === 'string' ? parseCidr(text) : undefined;
      return parsed?.ok === true ? [parsed.cidr] : [];
    }),
  );

/** The first of the fewest networks that make up a set. */
export const firstNetworkIn = (set: CidrSet): Cidr | undefined =>
  toCidrs({ 4: set[4].slice(0, 2), 6: set[6].slice(0, 2) })[0];

/** How many boundaries a set has, which is the cost of a walk through it. */
export const boundariesIn = (set: CidrSet): number => set[4].length + set[6].length;
