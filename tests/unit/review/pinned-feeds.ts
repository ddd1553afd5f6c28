import { digestOf, lockText } from '../../../provider/src/feeds/lock';
import { readPinnedFeeds } from '../../../cli/src/review/feeds';
import type { PinnedFeeds } from '../../../review/src/index';
import { type Cidr, parseCidr } from '../../../provider/src/values/cidr';
import type { Published } from '../../../review/src';

/** What a revision says of one feed; by default it is a list of somebody's, in order. */
export interface FeedInRevision {
  readonly networks: readonly string[];
  readonly bounds?: object;
  readonly maxAgeDays?: number;
  readonly source?: object;
  readonly digest?: string;
  readonly checked?: string;
  readonly accepted?: string;
}

export const SOURCE = { url: ['https://lists.example.com/cdn'], format: 'text' };

/** The texts of both files, as somebody has committed them. */
export function feedTexts(
  feeds: Readonly<Record<string, FeedInRevision>>,
): Record<'declarations' | 'lock', string> {
  const entries = Object.entries(feeds);
  const declared = entries.map(([name, { source = SOURCE, bounds, maxAgeDays }]) => [
    name,
    // Special-purpose networks serve as examples.
    'names' in source
      ? { mostAddresses: 4, ...source, ...bounds }
      : { ...source, maxAgeDays, bounds: { specialPurpose: true, atLeast: 0.2, atMost: 5, ...bounds } },
  ]);
  const locked = entries.map(
    ([name, { networks, source = SOURCE, checked = '2026-06-10', accepted, digest = digestOf(networks) }]) =>
      [name, { source, checked, accepted, digest, networks }] as const,
  );
  return {
    declarations: JSON.stringify({ feeds: Object.fromEntries(declared) as object }),
    lock: lockText(new Map(locked)),
  };
}

/** The pinned feeds, parsed. */
export const pinned = (feeds: Readonly<Record<string, FeedInRevision>>): PinnedFeeds =>
  readPinnedFeeds(feedTexts(feeds));

/** What publishers list. */
export const publishing = (
  lists: Readonly<Record<string, readonly string[]>> = {},
): ReadonlyMap<string, Published> =>
  new Map(Object.entries(lists).map(([name, networks]) => [name, { networks: networks.map(cidrOf) }]));

export function cidrOf(text: string): Cidr {
  const parsed = parseCidr(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.cidr;
}
