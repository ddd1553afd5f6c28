import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import {
  DECLARATION_FILE,
  type Declarations,
  parseDeclarations,
} from 'pulumi-edge-policy/internal/feeds/feed-declaration';
import { readFeedFiles } from 'pulumi-edge-policy/internal/feeds/feed-files';
import {
  ageInDays,
  type IntactFeed,
  intactFeed,
  isStale,
  type Lock,
  LOCK_FILE,
  parseLock,
} from 'pulumi-edge-policy/internal/feeds/lock';
import { type CliContext, EXIT, type ExitCode } from '../command/context';
import { isUserError, messageForUser, UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import type { PinnedFeeds } from 'pulumi-edge-policy-review';

function staleProblem({ declaration: { name, maxAgeDays }, locked }: IntactFeed, now: number): string {
  const age = ageInDays(locked, now);
  const last = age === Infinity ? 'on a day that does not exist' : `${age} days ago`;
  return `The feed "${name}" was last checked ${last}, and its "maxAgeDays" is ${maxAgeDays}: run "${COMMAND_LINE} feeds update ${name}".`;
}

/** Feeds in the lock that are not declared. */
const undeclaredProblems = (declarations: Declarations, lock: Lock): string[] =>
  [...lock.keys()]
    .filter((name) => !declarations.has(name))
    .map(
      (name) =>
        `${LOCK_FILE} holds ${JSON.stringify(name)}, which is not declared: run "${COMMAND_LINE} feeds update".`,
    );

/** `feeds verify`: names what keeps the lock from being used, without the network. */
export function verify(from: string, { clock, print }: CliContext): ExitCode {
  const { declarations, lock } = readFeedFiles(from);
  const { feeds, problems } = pinnedFeeds(declarations, lock);
  const now = clock.epochMs();
  const found = [
    ...problems.values(),
    ...[...feeds.values()].filter((feed) => isStale(feed, now)).map((feed) => staleProblem(feed, now)),
    ...undeclaredProblems(declarations, lock),
  ];
  print(found.length === 0 ? 'The lock matches the declaration.\n' : `${found.join('\n')}\n`);
  return found.length === 0 ? EXIT.done : EXIT.attention;
}

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
