import type { ListRule } from '../lists/rules-of-lists';
import { printableByEngine } from '../values/printable';
import { log } from './sdk';
import type { FeedRule } from '../feeds/feed-files';

export type { FeedRule } from '../feeds/feed-files';

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
  const { rulesOfFeeds } = require('../feeds/feed-files') as typeof import('../feeds/feed-files');
  return rulesOfFeeds(typeof feeds === 'string' ? [feeds] : feeds, action, path);
}

export type { ListRule } from '../lists/rules-of-lists';

/** The options of {@link rulesFrom}. */
export interface RulesFromArgs {
  /** The name of a list in the file, or several names. Default: all lists of the file. */
  readonly list?: string | readonly string[];
}

/**
 * The rules for the named lists in a file of the repository: nothing is ever fetched. An entry with `until` ends by itself. A
 * network that several lists hold appears once, with the entry that lasts longest. The list is plain data, so you can combine it
 * with others. A network that is a whole address family, such as 0.0.0.0/0, prints a warning.
 *
 * @param file The file, relative to the working directory, which is the project if the CLI runs the program.
 * @throws Error that names the file, the list, the entry, the rule and the corrected value, if the file is missing or wrong.
 */
export function rulesFrom(file: string, { list = [] }: RulesFromArgs = {}): ListRule[] {
  const { rulesOfLists } = require('../lists/rules-of-lists') as typeof import('../lists/rules-of-lists');
  return rulesOfLists(file, typeof list === 'string' ? [list] : list, (line) => {
    void log.warn(printableByEngine(line));
  });
}
