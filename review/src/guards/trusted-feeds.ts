import { cidrSetOf, intersect, subtract, union, toCidrs } from '../access/cidr-set';
import { foreign, say, type Sentence, trusted } from '../text/sentence';
import type { FeedChange, RevisionFeeds } from '../findings/feed-changes';

/** The trusted networks of a feed, or why they are unknown. */
export type TrustedFeeds = (
  name: string,
) => { readonly networks: readonly string[] } | { readonly problem: Sentence };

/**
 * The networks of a feed in assertions: those that the base has locked, and of the changes those that the publisher confirms.
 * The change's own lock does not count.
 */
export function trustedFeeds(base: RevisionFeeds | undefined, changes: readonly FeedChange[]): TrustedFeeds {
  return (name) => {
    if (!base)
      return {
        problem: say`the feeds of the base revision, among them ${foreign(name)}, are not known (--base-feeds)`,
      };
    if ('problem' in base) return { problem: trusted('the feeds of the base revision cannot be read') };
    const feed = base.feeds.get(name);
    if (!feed)
      return {
        problem: base.declarations.has(name)
          ? say`the lock of the base revision is damaged or out of date for the feed ${foreign(name)}`
          : say`the base revision has no feed ${foreign(name)}`,
      };
    const change = changes.find((candidate) => candidate.name === name);
    if (!change?.answer || 'problem' in change.answer || change.beyond)
      return { networks: feed.locked.networks };
    const { published } = change.answer;
    const kept = subtract(cidrSetOf(feed.networks), subtract(change.lost, published));
    return { networks: toCidrs(union(kept, intersect(change.gained, published))).map(({ text }) => text) };
  };
}
