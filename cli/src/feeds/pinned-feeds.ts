import {
  DECLARATION_FILE,
  type Declarations,
  parseDeclarations,
} from 'pulumi-edge-policy/internal/feeds/feed-declaration';
import {
  type IntactFeed,
  intactFeed,
  type Lock,
  LOCK_FILE,
  parseLock,
} from 'pulumi-edge-policy/internal/feeds/lock';
import { isUserError, messageForUser, UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import type { PinnedFeeds } from 'pulumi-edge-policy-review';

/** Checks every declared feed. */
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

/** Enough for half a million networks. The limit is needed, as anybody may have written the files of a change. */
const LONGEST_TEXT = 16 * 1024 * 1024;

/**
 * The feeds that the texts of both files pin; without declarations there are none.
 *
 * @throws UserError if a text is invalid.
 */
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
