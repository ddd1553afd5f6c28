import { UserError } from '../errors/user-error';
import { type Cidr, parseCidr } from '../values/cidr';
import { stepProblems } from './feed-bounds';
import { type FeedDeclaration, isSameSource } from './feed-declaration';
import { ageInDays, dayOf, type LockedFeed } from './lock';
import { type Collected, digestOf } from './collect-networks';

/** The step from a locked feed to the fetched one. */
export interface Step {
  readonly locked: LockedFeed;
  /** The networks before; none for a new feed, or if its declaration has changed. */
  readonly before: readonly Cidr[];
  readonly after: readonly Cidr[];
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
 * The locked feed after a fetch.
 *
 * @throws UserError if the step goes beyond the bounds and is not accepted.
 */
export function stepOf(
  declaration: FeedDeclaration,
  old: LockedFeed | undefined,
  { networks: after, token, notice, now, accepted }: Collected & StepOptions,
): Step {
  const { source, bounds, maxAgeDays } = declaration;
  const same = old !== undefined && isSameSource(old.source, source) ? old : undefined;
  const before = same === undefined ? [] : networksOf(same);
  const problems = same === undefined ? [] : stepProblems(before, after, bounds);
  if (problems.length > 0 && accepted === undefined) throw new UserError(problems.join(', and '));
  const networks = after.map(({ text }) => text);
  const digest = digestOf(networks);
  // Digest and networks are both compared, as an edited digest says nothing about the networks.
  const isUnchanged = same?.digest === digest && digestOf(same.networks) === digest;
  if (isUnchanged && ageInDays(same, now) <= maxAgeDays / 2) {
    return { locked: same, before, after, isRewritten: false };
  }
  const reason = problems.length > 0 ? accepted : isUnchanged ? same.accepted : undefined;
  return {
    locked: { source, token, notice, checked: dayOf(now), accepted: reason, digest, networks },
    before,
    after,
    isRewritten: true,
  };
}

/** The locked networks, as far as they are readable: damage to the file must not lift the bounds. */
const networksOf = ({ networks }: LockedFeed): Cidr[] =>
  networks.flatMap((text) => {
    const parsed = parseCidr(text);
    return parsed.ok ? [parsed.cidr] : [];
  });
