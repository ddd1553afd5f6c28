import type { Declarations } from 'pulumi-edge-policy/internal/feeds/feed-declaration';
import type { Cidr } from 'pulumi-edge-policy/internal/values/cidr';
import type { IntactFeed } from 'pulumi-edge-policy/internal/feeds/lock';
import { type CidrSet, cidrSetOf, subtract } from '../access/cidr-set';
import { stepProblems } from './feed-step';
import { foreign, say, type Sentence } from '../text/sentence';

/** The feeds of one revision: those that can be used as they are locked, and why the others cannot. */
export interface PinnedFeeds {
  readonly declarations: Declarations;
  readonly feeds: ReadonlyMap<string, IntactFeed>;
  readonly problems: ReadonlyMap<string, string>;
}

/** The feeds of one revision, or why its files cannot be read. */
export type RevisionFeeds = PinnedFeeds | { readonly problem: string };

/** What a publisher lists now, or why it is unknown. */
export type Published = { readonly networks: readonly Cidr[] } | { readonly problem: string };

/** The feeds of a change, which its author may have written freely, and those of its base. */
export interface FeedRevisions {
  readonly change: RevisionFeeds;
  /** Absent if the base is not known. */
  readonly base?: RevisionFeeds;
  /** The answers of the publishers, who were asked by the declarations of the base. */
  readonly published: ReadonlyMap<string, Published>;
}

/** The change of a feed that the base has, too. */
export interface FeedChange {
  readonly name: string;
  /** The networks that the base has locked. */
  readonly before: readonly Cidr[];
  /** How many networks only one side has. */
  readonly added: number;
  readonly removed: number;
  /** The addresses that only one side has: the same addresses can be written as other networks. */
  readonly gained: CidrSet;
  readonly lost: CidrSet;
  /** What the publisher says, as far as it is reliable; absent if it was not asked. */
  readonly answer?: { readonly published: CidrSet } | { readonly problem: Sentence };
}

/** A feed as both revisions have it. */
interface FeedSides {
  readonly base: IntactFeed;
  readonly change: IntactFeed;
}

/** The feeds that both revisions have, with different networks. */
export function changedFeeds({ base, change }: Omit<FeedRevisions, 'published'>): FeedSides[] {
  if (!base || 'problem' in base || 'problem' in change) return [];
  return [...base.feeds.values()].flatMap((old) => {
    const young = change.feeds.get(old.declaration.name);
    return young && young.locked.digest !== old.locked.digest ? [{ base: old, change: young }] : [];
  });
}

/** The changes of the feeds of the base, and what the publishers say of them. */
export const feedChanges = (revisions: FeedRevisions): FeedChange[] =>
  changedFeeds(revisions).map((sides) => {
    const { declaration, networks: before } = sides.base;
    const [old, young] = [cidrSetOf(before), cidrSetOf(sides.change.networks)];
    const published = revisions.published.get(declaration.name);
    return {
      name: declaration.name,
      before,
      added: onlyIn(sides.change, sides.base),
      removed: onlyIn(sides.base, sides.change),
      gained: subtract(young, old),
      lost: subtract(old, young),
      ...(published && { answer: reliable(published, sides) }),
    };
  });

function onlyIn({ locked }: IntactFeed, other: IntactFeed): number {
  const known = new Set(other.locked.networks);
  return locked.networks.filter((network) => !known.has(network)).length;
}

/** An answer counts if it is within the bounds of the base, and if the changed feed is, too. */
function reliable(published: Published, { base, change }: FeedSides): NonNullable<FeedChange['answer']> {
  if ('problem' in published) return { problem: say`${foreign(published.problem)}` };
  const { bounds } = base.declaration;
  const [tooMuch] = stepProblems(base.networks, change.networks, bounds);
  if (tooMuch !== undefined) return { problem: say`${foreign(tooMuch)}${acceptedIn(change)}` };
  const [tooMuchThere] = stepProblems(base.networks, published.networks, bounds);
  if (tooMuchThere !== undefined) return { problem: say`of the publisher’s list, ${foreign(tooMuchThere)}` };
  return { published: cidrSetOf(published.networks) };
}

const acceptedIn = ({ locked: { accepted } }: IntactFeed): Sentence =>
  accepted === undefined ? [] : say`, which the lock says was accepted: ${foreign(accepted)}`;
