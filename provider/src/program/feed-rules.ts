import type { FeedRule } from '../feeds/rules';

export type { FeedRule } from '../feeds/rules';

/** The options of {@link feedRules}. */
export interface FeedRulesArgs {
  /** What the rules do with the networks: `allow` or `deny`. Required. */
  readonly action: 'allow' | 'deny';
  /**
   * The folder that holds `edge-policy.feeds.json` and its lock, or a folder below it. Default: the working directory, which
   * is inside the project if the CLI runs the program.
   */
  readonly path?: string;
}

/**
 * The rules for published networks, read from the committed lock: nothing is ever fetched. Several feeds are merged, and a
 * network that is in more than one appears once. The list is plain data, so you can combine it with others.
 *
 * @throws Error that names the remedy if the lock is missing, does not match its digest, lacks a feed, or no longer matches
 * the declaration.
 */
export function feedRules(
  feeds: string | readonly string[],
  { action, path = '.' }: FeedRulesArgs,
): FeedRule[] {
  const { rulesOfFeeds } = require('../feeds/rules') as typeof import('../feeds/rules');
  return rulesOfFeeds(typeof feeds === 'string' ? [feeds] : feeds, action, path);
}
