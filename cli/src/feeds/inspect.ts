import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import path from 'node:path';
import {
  DECLARATION_FILE,
  type Declarations,
  type FeedSource,
  parseDeclarations,
} from 'pulumi-edge-policy/internal/feeds/feed-declaration';
import { readFeedFiles, requireFeedsFolder, textOf } from 'pulumi-edge-policy/internal/feeds/feed-files';
import {
  ageInDays,
  type IntactFeed,
  intactFeed,
  isStale,
  type Lock,
  LOCK_FILE,
  parseLock,
} from 'pulumi-edge-policy/internal/feeds/lock';
import { publisherOf } from 'pulumi-edge-policy/internal/feeds/publishers';
import { parseJson } from 'pulumi-edge-policy/internal/values/json';
import { printableJson } from 'pulumi-edge-policy/internal/values/printable';
import { EXIT, type ExitCode } from '../command/context';
import { table } from '../command/text';
import { contentOf } from './describe-feed';
import type { Call } from './options';
import { isUserError, messageForUser, UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import type { PinnedFeeds } from 'pulumi-edge-policy-review';

/** A feed as in the lock, and whether it can be used. */
export interface FeedStatus {
  readonly name: string;
  readonly source: FeedSource;
  /** Absent if it cannot be used. */
  readonly feed?: IntactFeed;
  /** Why it cannot be used, or should be updated. */
  readonly problem?: string;
  readonly isStale: boolean;
}

/** Inspects every declared feed, without the network. */
export function statusOfFeeds(declarations: Declarations, lock: Lock, now: number): FeedStatus[] {
  const { feeds, problems } = pinnedFeeds(declarations, lock);
  return [...declarations.values()].map(({ name, source }) => {
    const feed = feeds.get(name);
    if (feed === undefined) return { name, source, problem: problems.get(name) ?? '', isStale: false };
    if (!isStale(feed, now)) return { name, source, feed, isStale: false };
    return { name, source, feed, isStale: true, problem: staleProblem(feed, now) };
  });
}

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

/** Problems that other parsers of JSON do not see: of a key that occurs twice they take the last, and a person may read the first. */
function ambiguityProblems(folder: string): string[] {
  return [DECLARATION_FILE, LOCK_FILE].flatMap((name) => {
    const text = textOf(path.join(folder, name));
    const parsed = text === undefined ? undefined : parseJson(text);
    return !parsed || parsed.ok ? [] : [`${name} ${parsed.problem}.`];
  });
}

/** Where a feed comes from, in a few words. */
function sourceInWords({ publisher, url, file, select = {} }: FeedSource): string {
  const selected = Object.values(select).flat().join(', ');
  const title = publisherOf(publisher)?.title ?? url?.join(', ') ?? file ?? '';
  return selected === '' ? title : `${title}: ${selected}`;
}

/** `feeds list`. */
export function list({ options, folder, context }: Call): ExitCode {
  const { declarations, lock } = readFeedFiles(folder);
  const feeds = statusOfFeeds(declarations, lock, context.clock.epochMs());
  if (options.json) {
    const plain = feeds.map(({ name, source, feed, problem, isStale }) => {
      const { checked, token } = feed?.locked ?? {};
      return { name, source, networks: feed?.networks.length ?? null, checked, token, isStale, problem };
    });
    context.print(printableJson({ feeds: plain }));
    return EXIT.done;
  }
  const rows = feeds.map(({ name, source, feed, isStale }) => [
    name,
    sourceInWords(source),
    feed === undefined ? 'cannot be used: see "feeds verify"' : contentOf(feed.networks),
    feed === undefined ? '' : `checked ${feed.locked.checked}${isStale ? ' (too long ago)' : ''}`,
  ]);
  context.print(rows.length === 0 ? 'No feeds.\n' : table(rows));
  return EXIT.done;
}

/** `feeds verify`. */
export function verify({ options, folder, context }: Call): ExitCode {
  const { declarations, lock } = readFeedFiles(folder);
  const problems = [
    ...statusOfFeeds(declarations, lock, context.clock.epochMs()).flatMap(({ problem = [] }) => problem),
    ...undeclaredProblems(declarations, lock),
    ...ambiguityProblems(requireFeedsFolder(folder)),
  ];
  if (options.json) context.print(printableJson({ problems }));
  else
    context.print(problems.length === 0 ? 'The lock matches the declaration.\n' : `${problems.join('\n')}\n`);
  return problems.length === 0 ? EXIT.done : EXIT.attention;
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
