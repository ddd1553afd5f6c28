import type * as rulesModule from '../feeds/rules';
import type { FeedRule } from '../feeds/rules';

export type { FeedRule } from '../feeds/rules';

/** The options of {@link feedRules}. */
export interface FeedRulesArgs {
  /** What the rules do with the networks: `allow` or `deny`. Required. */
  readonly action: 'allow' | 'deny';
  /**
   * The folder with `edge-policy.feeds.json` and its lock, or one below it. Default: the working directory, which for
   * programs that the CLI runs lies in the project.
   */
  readonly path?: string;
}

/**
 * The rules for networks that others publish, out of the committed lock: nothing is ever fetched. Several feeds are united,
 * and a network that several of them hold appears once. The list is plain data, which may be joined with others.
 *
 * @throws Error with the remedy, if the lock is missing, does not match its digest, lacks a feed, or no longer matches the
 * declaration.
 */
export function feedRules(
  feeds: string | readonly string[],
  { action, path = '.' }: FeedRulesArgs,
): FeedRule[] {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it with every program
  const { rulesOfFeeds } = require('../feeds/rules') as typeof rulesModule;
  return rulesOfFeeds(typeof feeds === 'string' ? [feeds] : feeds, action, path);
}
