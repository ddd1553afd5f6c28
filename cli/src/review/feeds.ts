import { existsSync } from 'node:fs';
import path from 'node:path';
import { askPublishers } from '../feeds/ask-publishers';
import type { CliContext } from '../command/context';
import { isUserError, messageForUser, UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import {
  DECLARATION_FILE,
  type Declarations,
  parseDeclarations,
} from 'pulumi-edge-policy/internal/feeds/feed-declaration';
import { findFeedsFolder, textOf } from 'pulumi-edge-policy/internal/feeds/feed-files';
import {
  type IntactFeed,
  intactFeed,
  type Lock,
  LOCK_FILE,
  parseLock,
} from 'pulumi-edge-policy/internal/feeds/lock';
import {
  changedFeeds,
  type FeedRevisions,
  type PinnedFeeds,
  type RevisionFeeds,
} from 'pulumi-edge-policy-review';

export interface FeedOptions {
  /** The folder with both files of the change; the nearest one upwards if it is not named. */
  readonly feeds?: string;
  readonly baseFeeds?: string;
  /** Whether the publishers are asked about changes. */
  readonly confirmFeeds?: true;
}

/** Reads the feeds of both revisions, and asks their publishers if requested. Undefined if there are none. */
export async function readFeeds(
  { feeds, baseFeeds, confirmFeeds }: FeedOptions,
  cwd: string,
  context: CliContext,
): Promise<FeedRevisions | undefined> {
  const folder = feeds === undefined ? findFeedsFolder(cwd) : path.resolve(cwd, feeds);
  if (folder === undefined && baseFeeds === undefined) return undefined;
  const revisions = {
    change:
      folder === undefined ? readPinnedFeeds({ declarations: undefined, lock: undefined }) : feedsIn(folder),
    ...(baseFeeds !== undefined && { base: feedsIn(path.resolve(cwd, baseFeeds)) }),
  };
  // Only feeds of the base are confirmed, by its declarations: the change must not choose who is asked.
  const asked = changedFeeds(revisions).map(({ base }) => base.declaration);
  const published = confirmFeeds === true ? await askPublishers(asked, context) : new Map();
  return { ...revisions, published };
}

function feedsIn(folder: string): RevisionFeeds {
  // A folder without the files says that there are no feeds; a missing folder says nothing.
  if (!existsSync(folder)) return { problem: `${folder} is not there` };
  try {
    return readPinnedFeeds({
      declarations: textOf(path.join(folder, DECLARATION_FILE)),
      lock: textOf(path.join(folder, LOCK_FILE)),
    });
  } catch (error) {
    if (!isUserError(error)) throw error;
    return { problem: messageForUser(error) };
  }
}

/** Enough for half a million networks. The limit is needed, as anybody may have written the files of a change. */
const LONGEST_TEXT = 16 * 1024 * 1024;

/** The feeds that the texts of both files pin; without declarations there are none. @throws UserError if a text is invalid. */
export function readPinnedFeeds(
  texts: Readonly<Record<'declarations' | 'lock', string | undefined>>,
): PinnedFeeds {
  const { declarations = '{"feeds":{}}', lock } = texts;
  for (const [name, text = ''] of [
    [DECLARATION_FILE, declarations],
    [LOCK_FILE, lock],
  ] as const) {
    if (text.length > LONGEST_TEXT)
      throw new UserError(`${name} is larger than ${LONGEST_TEXT / 1024 / 1024} MiB.`);
  }
  return pinnedFeeds(parseDeclarations(declarations), lock === undefined ? new Map() : parseLock(lock));
}

function pinnedFeeds(declarations: Declarations, lock: Lock): PinnedFeeds {
  const feeds = new Map<string, IntactFeed>();
  const problems = new Map<string, string>();
  for (const name of declarations.keys()) {
    try {
      feeds.set(name, intactFeed(name, declarations, lock));
    } catch (error) {
      if (!isUserError(error)) throw error;
      problems.set(name, messageForUser(error));
    }
  }
  return { declarations, feeds, problems };
}
