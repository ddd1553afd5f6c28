import type { FeedBounds } from 'pulumi-edge-policy/internal/feeds/feed-bounds';
import type { Family } from 'pulumi-edge-policy/internal/values/address';
import type { Cidr } from 'pulumi-edge-policy/internal/values/cidr';
import { type CidrSet, cidrSetOf, sizeOf } from '../access/cidr-set';

/** How a list exceeds the bounds, in words; empty if it keeps to them. */
export function stepProblems(before: readonly Cidr[], after: readonly Cidr[], bounds: FeedBounds): string[] {
  const [old, young] = [cidrSetOf(before), cidrSetOf(after)];
  return [
    stepProblem('networks', { before: before.length, after: after.length }, bounds),
    stepProblem('IPv4 addresses', addresses(old, young, 4), bounds),
    stepProblem('IPv6 addresses', addresses(old, young, 6), bounds),
  ].filter((problem) => problem !== undefined);
}

interface Amounts {
  readonly before: number;
  readonly after: number;
}

// The shares are far from the limits of a double.
const addresses = (before: CidrSet, after: CidrSet, family: Family): Amounts => ({
  before: Number(sizeOf(before, family)),
  after: Number(sizeOf(after, family)),
});

function stepProblem(
  what: string,
  { before, after }: Amounts,
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
