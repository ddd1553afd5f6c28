import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { DECLARATION_FILE, type FeedSource } from '../../../provider/src/feeds/feed-declaration';
import { digestOf, LOCK_FILE, type LockedFeed, lockText } from '../../../provider/src/feeds/lock';

/** The declaration of a feed, and its locked content. */
export interface FeedContent {
  readonly source: FeedSource;
  readonly networks: readonly string[];
  readonly checked?: string;
}

/** Writes declarations and lock, as the commands would. */
export const writeFeedFiles = (folder: string, feeds: Readonly<Record<string, FeedContent>>): void => {
  const entries = Object.entries(feeds);
  const declarations = Object.fromEntries(entries.map(([name, { source }]) => [name, source]));
  writeFileSync(path.join(folder, DECLARATION_FILE), JSON.stringify({ feeds: declarations }));
  const lock = new Map<string, LockedFeed>();
  for (const [name, { checked = '2026-01-31', ...feed }] of entries)
    lock.set(name, { ...feed, checked, digest: digestOf(feed.networks) });
  writeFileSync(path.join(folder, LOCK_FILE), lockText(lock));
};
