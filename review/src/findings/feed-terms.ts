import {
  DEFAULT_MAX_AGE_DAYS,
  type FeedDeclaration,
  type FeedSource,
} from 'pulumi-edge-policy/internal/feeds/feed-declaration';
import { DEFAULT_BOUNDS } from 'pulumi-edge-policy/internal/feeds/feed-bounds';
import type { PinnedFeeds } from './feed-change';
import { foreign, list, say, type Sentence } from '../text/sentence';

/** What a declaration says of a feed by one name: the larger the strictness, the stricter; a source is another one or not. */
export type FeedTerm = readonly [name: string, value: unknown, strictness?: number];

/** All terms of a feed, declared or by default. */
export const termsOf = ({ source, bounds, maxAgeDays }: FeedDeclaration): readonly FeedTerm[] => [
  ['source', source],
  ['atLeast', bounds.atLeast, bounds.atLeast],
  ['atMost', bounds.atMost, -bounds.atMost],
  ['widestIpv4', bounds.widest[4], bounds.widest[4]],
  ['widestIpv6', bounds.widest[6], bounds.widest[6]],
  ['specialPurpose', bounds.isSpecialAllowed, -Number(bounds.isSpecialAllowed)],
  ['maxAgeDays', maxAgeDays, -maxAgeDays],
];

/** A declaration in words. */
export function declarationInWords(feed: FeedDeclaration): Sentence {
  const terms = termsOf(feed).map(([name, value]) => say`${foreign(name)} ${foreign(JSON.stringify(value))}`);
  return say`${foreign(feed.name)} with ${list(terms, terms.length)}`;
}

/**
 * What a feed of the change is compared with: the feed of that name in the base; for a new name, those that take the same
 * documents, so that no other name loosens their bounds; for new documents, the defaults.
 */
export function formerFeeds(feed: FeedDeclaration, { declarations }: PinnedFeeds): FeedDeclaration[] {
  const former = declarations.get(feed.name);
  if (former) return [former];
  const alike = [...declarations.values()].filter(
    ({ source }) => documentsOf(source) === documentsOf(feed.source),
  );
  return alike.length === 0
    ? [{ ...feed, bounds: DEFAULT_BOUNDS, maxAgeDays: DEFAULT_MAX_AGE_DAYS }]
    : alike.map(({ bounds, maxAgeDays }) => ({ ...feed, bounds, maxAgeDays }));
}

const documentsOf = ({ publisher, url, file }: FeedSource): string => JSON.stringify([publisher, url, file]);
