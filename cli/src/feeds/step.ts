import { type Cidr, networkIn } from 'pulumi-edge-policy/internal/values/cidr';
import { stepProblems } from 'pulumi-edge-policy-review';
import { type FeedDeclaration, isSameSource } from 'pulumi-edge-policy/internal/feeds/feed-declaration';
import { ageInDays, digestOf, type LockedFeed } from 'pulumi-edge-policy/internal/feeds/lock';
import type { Collected } from './collect-networks';

export interface FeedStep {
  readonly locked: LockedFeed;
  /** The networks before; none for a new feed, or if its declaration has changed. */
  readonly before: readonly Cidr[];
  readonly after: readonly Cidr[];
  /** How the step exceeds the bounds, in words. */
  readonly problems: readonly string[];
}

export interface StepOptions {
  readonly now: number;
  /** Why a step beyond the bounds is acceptable. */
  readonly accepted?: string | undefined;
}

/** The locked feed after a fetch: the same one if nothing has changed and it was checked lately. */
export function stepOf(
  declaration: FeedDeclaration,
  old: LockedFeed | undefined,
  { networks: after, notice, now, accepted }: Collected & StepOptions,
): FeedStep {
  const { source, bounds, maxAgeDays } = declaration;
  const same = old && isSameSource(old.source, source) ? old : undefined;
  const before = same ? networksOf(same) : [];
  const networks = after.map(({ text }) => text);
  const digest = digestOf(networks);
  // Digest and networks are both compared, as an edited digest says nothing about the networks.
  const unchanged = same?.digest === digest && digestOf(same.networks) === digest ? same : undefined;
  // The day of names would change the lock each time.
  if (unchanged && (source.names !== undefined || ageInDays(unchanged, now) <= maxAgeDays / 2))
    return { locked: unchanged, before, after, problems: [] };
  const problems = same && !unchanged ? stepProblems(before, after, bounds) : [];
  const reason = problems.length > 0 ? accepted : unchanged?.accepted;
  return {
    locked: { source, notice, checked: dayOf(now), accepted: reason, digest, networks },
    ...{ before, after, problems },
  };
}

/** The locked networks, as far as they are readable: damage to the file must not lift the bounds. */
const networksOf = ({ networks }: LockedFeed): Cidr[] => networks.flatMap((text) => networkIn(text) ?? []);

const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);
