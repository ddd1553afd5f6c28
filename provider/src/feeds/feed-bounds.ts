import { UserError } from '../errors/user-error';
import type { Family } from '../values/address';
import type { Cidr } from '../values/cidr';
import { type CidrSet, cidrSetOf, sizeOf, touches } from '../values/cidr-set';
import { specialSpace } from '../values/special-networks';

/** The bounds that a feed must keep to. */
export interface FeedBounds {
  /** The smallest share of the locked networks, and of their addresses in each family, that must remain. */
  readonly atLeast: number;
  /** How many times as many networks and addresses as locked there may be. */
  readonly atMost: number;
  /** The shortest prefix that a network may have. */
  readonly widest: Readonly<Record<Family, number>>;
  /** Whether networks may hold addresses that are not on the public internet. */
  readonly isSpecialAllowed: boolean;
}

/** A third fewer and twice as many: single steps of publishers have changed as much as a fifth. */
export const DEFAULT_BOUNDS: FeedBounds = {
  atLeast: 2 / 3,
  atMost: 2,
  widest: { 4: 8, 6: 16 },
  isSpecialAllowed: false,
};

/**
 * Refuses networks that no publisher lists.
 *
 * @throws UserError that names the first one.
 */
export function refuseOddNetworks(networks: readonly Cidr[], { widest, isSpecialAllowed }: FeedBounds): void {
  if (networks.length === 0) throw new UserError('it contains no networks');
  const wide = networks.find(({ family, prefixLength }) => prefixLength < widest[family]);
  if (wide !== undefined) {
    const bound = `"bounds.widestIpv${wide.family}"`;
    throw new UserError(`${wide.text} is wider than /${widest[wide.family]}; if intended, declare ${bound}`);
  }
  const special = isSpecialAllowed ? undefined : networks.find((network) => touches(specialSpace(), network));
  if (special !== undefined) {
    throw new UserError(
      `${special.text} holds special-purpose addresses, never used on the public internet; if intended, declare ` +
        `"bounds.specialPurpose"`,
    );
  }
}

/** How a list exceeds the bounds, in words; empty if it keeps to them. */
export function stepProblems(before: readonly Cidr[], after: readonly Cidr[], bounds: FeedBounds): string[] {
  const [old, young] = [cidrSetOf(before), cidrSetOf(after)];
  return [
    stepProblem('networks', { before: before.length, after: after.length }, bounds),
    stepProblem('IPv4 addresses', addresses(old, young, 4), bounds),
    stepProblem('IPv6 addresses', addresses(old, young, 6), bounds),
  ].filter((problem) => problem !== undefined);
}

interface Step {
  readonly before: number;
  readonly after: number;
}

// The shares are far from the limits of a double.
const addresses = (before: CidrSet, after: CidrSet, family: Family): Step => ({
  before: Number(sizeOf(before, family)),
  after: Number(sizeOf(after, family)),
});

function stepProblem(
  what: string,
  { before, after }: Step,
  { atLeast, atMost }: FeedBounds,
): string | undefined {
  if (before === after) return undefined;
  if (before === 0) return `it has ${what} for the first time`;
  if (after === 0) return `it has no ${what} any more`;
  const share = after / before;
  if (share < atLeast)
    return `it has ${percent(1 - share)} fewer ${what}, but at most ${percent(1 - atLeast)} fewer are expected`;
  if (share > atMost)
    return `it has ${times(share)} times as many ${what}, but at most ${times(atMost)} times as many are expected`;
  return undefined;
}

// Never rounded to the bound that is exceeded.
const percent = (share: number): string => `${Number((share * 100).toFixed(1))} %`;
const times = (share: number): string => String(Number(share.toPrecision(3)));
