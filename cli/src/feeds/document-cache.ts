import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isObject } from 'pulumi-edge-policy/internal/feeds/members-reader';
import type { CliContext } from '../command/context';
import { replaceFile } from '../command/write-file';
import { fetchDocument, type FetchSettings, type Validators } from './fetch-document';

/** A document that was fetched, and when. */
interface Kept extends Validators {
  readonly body: string;
  readonly fetchedAt: number;
}

/**
 * The documents of publishers, in the user's cache folder. Within a publisher's minimum interval the cached one is used; after
 * it, the publisher is asked for a newer one. Cached documents pass the same checks as fetched ones, and they lie outside the
 * repository, out of reach of the author of a change.
 */
export class DocumentCache {
  private readonly folder: string | undefined;
  private readonly ofThisRun = new Map<string, Promise<string>>();

  constructor(
    private readonly context: Pick<CliContext, 'clock' | 'environment'>,
    private readonly settings: FetchSettings,
  ) {
    this.folder = cacheFolder(context.environment);
  }

  /**
   * One document; each is fetched at most once per run, however many feeds use it.
   *
   * @throws UserError if it cannot be had.
   */
  document(url: string, minimumIntervalMinutes: number): Promise<string> {
    const known = this.ofThisRun.get(url) ?? this.fetch(url, minimumIntervalMinutes);
    this.ofThisRun.set(url, known);
    return known;
  }

  private async fetch(url: string, minimumIntervalMinutes: number): Promise<string> {
    const kept = this.kept(url);
    const ageMs = kept === undefined ? Infinity : this.context.clock.epochMs() - kept.fetchedAt;
    if (kept !== undefined && ageMs >= 0 && ageMs < minimumIntervalMinutes * 60_000) return kept.body;
    const fetched = await fetchDocument(url, kept ?? {}, this.settings);
    const now = { fetchedAt: this.context.clock.epochMs() };
    const document = fetched.isUnchanged && kept !== undefined ? { ...kept, ...now } : { ...fetched, ...now };
    if (!('body' in document)) return '';
    this.keep(url, document);
    return document.body;
  }

  private file(url: string): string | undefined {
    const name = createHash('sha256').update(url).digest('hex');
    return this.folder && path.join(this.folder, `${name}.json`);
  }

  private kept(url: string): Kept | undefined {
    const file = this.file(url);
    if (file === undefined) return undefined;
    try {
      const known: unknown = JSON.parse(readFileSync(file, 'utf8'));
      if (!isObject(known)) return undefined;
      const { body, fetchedAt, etag, lastModified } = known;
      return typeof fetchedAt === 'number' && typeof body === 'string'
        ? { body, fetchedAt, etag: text(etag), lastModified: text(lastModified) }
        : undefined;
    } catch {
      return undefined;
    }
  }

  /** A machine without such a folder fetches anew each time. */
  private keep(url: string, { body, fetchedAt, etag, lastModified }: Kept): void {
    const file = this.file(url);
    if (file === undefined || this.folder === undefined) return;
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      replaceFile(file, JSON.stringify({ body, fetchedAt, etag, lastModified }));
    } catch {
      // Failing to write the cache only affects the next fetch.
    }
  }
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function cacheFolder(environment: CliContext['environment']): string | undefined {
  const { XDG_CACHE_HOME: xdg, LOCALAPPDATA: windows, HOME: home } = environment;
  const caches = [xdg, windows, home && path.join(home, '.cache')].find(
    (place) => place && path.isAbsolute(place),
  );
  return caches && path.join(caches, 'edge-policy', 'feeds');
}
