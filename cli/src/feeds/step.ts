import { type Cidr, parseCidr } from 'pulumi-edge-policy/internal/values/cidr';
import { stepProblems } from 'pulumi-edge-policy-review';
import { type FeedDeclaration, isSameSource } from 'pulumi-edge-policy/internal/feeds/feed-declaration';
import { ageInDays, digestOf, type LockedFeed } from 'pulumi-edge-policy/internal/feeds/lock';
import type { Collected } from './collect-networks';

/** The step from a locked feed to the fetched one. */
export interface Step {
  readonly locked: LockedFeed;
  /** The networks before; none for a new feed, or if its declaration has changed. */
  readonly before: readonly Cidr[];
  readonly after: readonly Cidr[];
  /** How the step exceeds the bounds, in words. */
  readonly problems: readonly string[];
  /** Whether the lock is rewritten: not for a fetch that changes nothing. */
  readonly isRewritten: boolean;
}

/** What was fetched, and who accepts it. */
export interface StepOptions {
  readonly now: number;
  /** Why a step beyond the bounds is acceptable. */
  readonly accepted?: string | undefined;
}

/**
 * The locked feed after a fetch. In the middle of a merge there are two versions of it before: then the fetched networks are
 * those of one of them, or keep to the bounds of both.
 */
export function stepOf(
  declaration: FeedDeclaration,
  versions: readonly LockedFeed[],
  { networks: after, token, notice, now, accepted }: Collected & StepOptions,
): Step {
  const { source, bounds, maxAgeDays } = declaration;
  const same = versions.filter((version) => isSameSource(version.source, source));
  const [before = []] = same.map(networksOf);
  const networks = after.map(({ text }) => text);
  const digest = digestOf(networks);
  // Digest and networks are both compared, as an edited digest says nothing about the networks.
  const unchanged = same.find(
    (version) => version.digest === digest && digestOf(version.networks) === digest,
  );
  if (unchanged !== undefined && versions.length === 1 && ageInDays(unchanged, now) <= maxAgeDays / 2) {
    return { locked: unchanged, before, after, problems: [], isRewritten: false };
  }
  const exceeded =
    unchanged === undefined
      ? same.flatMap((version) => stepProblems(networksOf(version), after, bounds))
      : [];
  const reason = exceeded.length > 0 ? accepted : unchanged?.accepted;
  return {
    locked: { source, token, notice, checked: dayOf(now), accepted: reason, digest, networks },
    ...{ before, after, problems: [...new Set(exceeded)], isRewritten: true },
  };
}

/** The locked networks, as far as they are readable: damage to the file must not lift the bounds. */
const networksOf = ({ networks }: LockedFeed): Cidr[] =>
  networks.flatMap((text) => {
    const parsed = parseCidr(text);
    return parsed.ok ? [parsed.cidr] : [];
  });

/** A moment's date, in the form of the lock. */
const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);
