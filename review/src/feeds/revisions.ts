import type { PinnedFeeds } from 'pulumi-edge-policy/internal/feeds/pinned';
import type { Cidr } from 'pulumi-edge-policy/internal/values/cidr';

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
