import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { DECLARATION_FILE, type FeedSource } from '../../../provider/src/feeds/feed-declaration';
import { LOCK_FILE, type LockedFeed, lockText } from '../../../provider/src/feeds/lock';
import { digestOf } from '../../../provider/src/feeds/lock';

/** The declaration of a feed, and its locked content. */
export interface FeedContent {
  readonly source: FeedSource;
  readonly networks: readonly string[];
  readonly checked?: string;
}

/** The locked content of a feed. */
const lockedFeed = ({ source, networks, checked = '2026-01-31' }: FeedContent): LockedFeed => ({
  source,
  checked,
  digest: digestOf(networks),
  networks,
});

/** Writes declarations and lock, as the commands would. */
export const writeFeedFiles = (folder: string, feeds: Readonly<Record<string, FeedContent>>): void => {
  const entries = Object.entries(feeds);
  const declarations = Object.fromEntries(entries.map(([name, { source }]) => [name, source]));
  writeFileSync(path.join(folder, DECLARATION_FILE), JSON.stringify({ feeds: declarations }));
  const locked = entries.map(([name, feed]) => [name, lockedFeed(feed)] as const);
  writeFileSync(path.join(folder, LOCK_FILE), lockText(new Map(locked)));
};
