import { readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { isUserError, messageForUser, UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import type { FeedDeclaration } from 'pulumi-edge-policy/internal/feeds/feed-declaration';
import type { Lock } from 'pulumi-edge-policy/internal/feeds/lock';
import { collect, type Collected } from './collect-networks';
import { publisherOf } from 'pulumi-edge-policy/internal/feeds/publishers';
import { stepOf } from './step';
import { readSettings } from 'pulumi-edge-policy/internal/settings/settings';
import type { CliContext } from '../command/context';
import type { Outcome } from './describe-feed';
import { Documents } from './documents';
import { type FetchSettings, LONGEST_DOCUMENT_BYTES } from './fetch-document';

/** Which feeds are updated, and how. */
export interface UpdateOptions {
  readonly folder: string;
  readonly feeds: readonly FeedDeclaration[];
  /** Why a step beyond the bounds is acceptable. */
  readonly accepted?: string | undefined;
}

/** Fetches feeds and compares them with the lock; writes nothing. */
export async function fetchFeeds(
  { folder, feeds, accepted }: UpdateOptions,
  lock: Lock,
  context: CliContext,
): Promise<Outcome[]> {
  const documents = new Documents(context, fetchSettings(context));
  const outcomes: Outcome[] = [];
  for (const feed of feeds) {
    const { name } = feed;
    try {
      const collected = collect(feed, await textsOf(feed, folder, documents));
      const step = stepOf(feed, lock.get(name), { ...collected, now: context.clock.epochMs(), accepted });
      outcomes.push(
        step.problems.length > 0 && accepted === undefined
          ? { name, kind: 'refused', reason: step.problems.join(', and '), step }
          : { name, kind: 'passed', step },
      );
    } catch (error) {
      if (!isUserError(error)) throw error;
      outcomes.push({ name, kind: 'refused', reason: messageForUser(error) });
    }
  }
  return outcomes;
}

/** @throws UserError if a setting is wrong: nothing is fetched without the proxy that the user meant. */
function fetchSettings({ environment }: CliContext): FetchSettings {
  const { settings, problems } = readSettings({ config: () => undefined, environment });
  const wrong = problems.find(({ name }) => name === 'proxy' || name === 'requestTimeoutSeconds');
  if (wrong !== undefined) throw new UserError(wrong.sentence);
  return { proxy: settings.proxy, timeoutMs: settings.requestTimeoutMs };
}

/** @throws UserError if one cannot be had. */
async function textsOf({ source }: FeedDeclaration, folder: string, documents: Documents): Promise<string[]> {
  if (source.file !== undefined) return [readDocumentFile(folder, source.file)];
  const publisher = publisherOf(source.publisher);
  const texts: string[] = [];
  for (const url of source.url ?? publisher?.documents ?? []) {
    texts.push(await documents.document(url, publisher?.minimumIntervalMinutes ?? 0));
  }
  return texts;
}

function readDocumentFile(folder: string, name: string): string {
  try {
    const file = realpathSync(path.join(folder, name));
    // A link may lead out of the folder, to a file that is no lock.
    if (!file.startsWith(realpathSync(folder) + path.sep))
      throw new UserError(`${name} leads out of the folder`);
    const body = readFileSync(file);
    if (body.length <= LONGEST_DOCUMENT_BYTES) return body.toString();
  } catch (error) {
    if (isUserError(error)) throw error;
    throw new UserError(
      `${name} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'no reason given'})`,
      { cause: error },
    );
  }
  throw new UserError(`${name} is larger than ${LONGEST_DOCUMENT_BYTES / 1024 / 1024} MiB`);
}

/** The time for all publishers together; after it, no further one is asked. A review has two minutes. */
const TIME_FOR_ALL_MS = 45_000;
const TIME_FOR_ONE_MS = 20_000;

/** The current list of each publisher, or why it is unknown. */
export async function askPublishers(
  feeds: readonly FeedDeclaration[],
  context: CliContext,
): Promise<Map<string, Pick<Collected, 'networks'> | { readonly problem: string }>> {
  const settings = fetchSettings(context);
  const timeoutMs = Math.min(settings.timeoutMs, TIME_FOR_ONE_MS);
  // The cache is not used: the person who wants a network confirmed may have written it.
  const documents = new Documents({ clock: context.clock, environment: {} }, { ...settings, timeoutMs });
  const startedAt = context.clock.monotonicMs();
  const answers = new Map<string, Pick<Collected, 'networks'> | { readonly problem: string }>();
  for (const feed of feeds) {
    try {
      if (feed.source.file !== undefined)
        throw new UserError('its document is a file in the repository, so no publisher can be asked');
      if (context.clock.monotonicMs() - startedAt > TIME_FOR_ALL_MS)
        throw new UserError('other publishers took so long that its own was not asked');
      const { networks } = collect(feed, await textsOf(feed, '', documents));
      answers.set(feed.name, { networks });
    } catch (error) {
      if (!isUserError(error)) throw error;
      answers.set(feed.name, { problem: `its publisher cannot be asked: ${messageForUser(error)}` });
    }
  }
  return answers;
}
