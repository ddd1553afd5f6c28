import { readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { isUserError, messageForUser, UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import type { FeedDeclaration } from 'pulumi-edge-policy/internal/feeds/feed-declaration';
import { textOf } from 'pulumi-edge-policy/internal/feeds/feed-files';
import {
  type Lock,
  LOCK_FILE,
  lockText,
  type LockedFeed,
  parseLock,
} from 'pulumi-edge-policy/internal/feeds/lock';
import { collect } from 'pulumi-edge-policy/internal/feeds/collect-networks';
import { publisherOf } from 'pulumi-edge-policy/internal/feeds/publishers';
import { type Step, stepOf } from 'pulumi-edge-policy/internal/feeds/step';
import { readSettings } from 'pulumi-edge-policy/internal/settings/settings';
import type { CliContext } from '../command/context';
import { DocumentCache, replaceFile } from './document-cache';
import { type FetchSettings, LONGEST_DOCUMENT_BYTES } from './fetch-document';

/** The result of an update of one feed. */
export type Outcome =
  | { readonly name: string; readonly kind: 'refused'; readonly reason: string }
  | {
      readonly name: string;
      readonly kind: 'new' | 'changed' | 'checked' | 'unchanged';
      readonly step: Step;
    };

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
  const cache = new DocumentCache(context, fetchSettings(context));
  const outcomes: Outcome[] = [];
  for (const feed of feeds) {
    const { name } = feed;
    const old = lock.get(name);
    try {
      const documents = await documentsOf(feed, folder, cache);
      const step = stepOf(feed, old, { ...collect(feed, documents), now: context.clock.epochMs(), accepted });
      outcomes.push({ name, kind: kindOf(step, old), step });
    } catch (error) {
      if (!isUserError(error)) throw error;
      outcomes.push({ name, kind: 'refused', reason: messageForUser(error) });
    }
  }
  return outcomes;
}

/** @throws UserError if a setting is wrong: nothing is fetched without the proxy that the user meant. */
export function fetchSettings({ environment }: CliContext): FetchSettings {
  const { settings, problems } = readSettings({ config: () => undefined, environment });
  const wrong = problems.find(({ name }) => name === 'proxy' || name === 'requestTimeoutSeconds');
  if (wrong !== undefined) throw new UserError(wrong.sentence);
  return { proxy: settings.proxy, timeoutMs: settings.requestTimeoutMs };
}

function kindOf(
  { isRewritten, locked }: Step,
  old: LockedFeed | undefined,
): 'new' | 'changed' | 'checked' | 'unchanged' {
  if (old === undefined) return 'new';
  if (!isRewritten) return 'unchanged';
  return old.digest === locked.digest ? 'checked' : 'changed';
}

export async function documentsOf(
  { source }: FeedDeclaration,
  folder: string,
  cache: DocumentCache,
): Promise<string[]> {
  if (source.file !== undefined) return [readDocumentFile(folder, source.file)];
  const publisher = publisherOf(source.publisher);
  const documents: string[] = [];
  for (const url of source.url ?? publisher?.documents ?? []) {
    documents.push(await cache.document(url, publisher?.minimumIntervalMinutes ?? 0));
  }
  return documents;
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

/** The lock with the fetched feeds that were not refused; feeds of other names are dropped. */
export function lockAfter(lock: Lock, outcomes: readonly Outcome[], names: Iterable<string>): Lock {
  const fetched = new Map(
    outcomes.flatMap((outcome) => (outcome.kind === 'refused' ? [] : [[outcome.name, outcome.step.locked]])),
  );
  return new Map(
    [...names].flatMap((name) => {
      const feed = fetched.get(name) ?? lock.get(name);
      return feed === undefined ? [] : [[name, feed]];
    }),
  );
}

/** The lock of a folder; an empty one if there is no file. */
export function readLock(folder: string): Lock {
  const text = textOf(path.join(folder, LOCK_FILE));
  return text === undefined ? new Map() : parseLock(text);
}

/** Writes the lock, unless the file has these bytes already. */
export function writeLock(folder: string, lock: Lock): boolean {
  const file = path.join(folder, LOCK_FILE);
  const text = lockText(lock);
  if (textOf(file) === text) return false;
  replaceFile(file, text);
  return true;
}
