import { UserError } from '../errors/user-error';
import { compareCidrs } from '../values/cidr';
import { byteLength } from '../values/text-limits';
import { readFeedFiles } from './feed-files';
import { intactFeed } from './lock';

/** One rule made from feeds. */
export interface FeedRule {
  /** A network of a feed, in canonical form. */
  readonly cidr: string;
  readonly action: 'allow' | 'deny';
  /** The feeds that contain the network: `feed cloudflare`, or `feeds ci-hooks, ci-web`. */
  readonly description: string;
}

/**
 * The rules for the networks of one or several feeds, from the lock: in canonical order, and with one rule for a network that
 * several feeds contain.
 *
 * @throws UserError with the remedy, if the lock does not match the declaration.
 */
export function rulesOfFeeds(names: readonly string[], action: 'allow' | 'deny', from: string): FeedRule[] {
  if (names.length === 0) throw new UserError('No feed is named.');
  const { declarations, lock } = readFeedFiles(from);
  const feeds = [...new Set(names)].sort().map((name) => intactFeed(name, declarations, lock));
  return united(feeds).map(({ text, owners }) => ({ cidr: text, action, description: describe(owners) }));
}

function united(feeds: readonly ReturnType<typeof intactFeed>[]) {
  const owners = new Map<string, string[]>();
  const networks = feeds.flatMap(({ declaration, networks: own }) =>
    own.filter(({ text }) => {
      const known = owners.get(text);
      if (known === undefined) owners.set(text, [declaration.name]);
      else known.push(declaration.name);
      return known === undefined;
    }),
  );
  return networks.sort(compareCidrs).map(({ text }) => ({ text, owners: owners.get(text) ?? [] }));
}

/** The service's limit of a description. */
const LONGEST_DESCRIPTION = 255;

/** The feeds in words: their names, or how many there are if these are too long for a description. */
function describe(names: readonly string[]): string {
  const description = `${names.length === 1 ? 'feed' : 'feeds'} ${names.join(', ')}`;
  return byteLength(description) <= LONGEST_DESCRIPTION ? description : `feeds (${names.length} of them)`;
}
