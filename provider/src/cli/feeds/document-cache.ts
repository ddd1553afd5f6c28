import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '../../api/clock';
import { isObject } from '../../feeds/json-document';
import type { CliContext } from '../context';
import { fetchDocument, type FetchSettings, type Validators } from './fetch-document';

/** A document that was fetched once, and when. */
interface Kept extends Validators {
  readonly body: Buffer;
  readonly fetchedAt: number;
}

/**
 * The documents of publishers, kept in the folder of the user's caches. Within the publisher's minimum interval the kept one is
 * used; after it the publisher is asked whether there is another. What is kept goes through the same checks as what just came,
 * and lies outside the repository, where no author of a change can write.
 */
export class DocumentCache {
  private readonly folder: string | undefined;
  private readonly ofThisRun = new Map<string, Promise<string>>();

  constructor(
    { environment, clock }: Pick<CliContext, 'clock' | 'environment'>,
    private readonly settings: FetchSettings,
  ) {
    this.folder = cacheFolder(environment);
    this.clock = clock;
  }

  private readonly clock: Clock;

  /**
   * One document; in one run each is fetched once, however many feeds take from it.
   *
   * @throws UserError where it cannot be had.
   */
  document(url: string, minimumIntervalMinutes: number): Promise<string> {
    const known = this.ofThisRun.get(url) ?? this.fetch(url, minimumIntervalMinutes);
    this.ofThisRun.set(url, known);
    return known;
  }

  private async fetch(url: string, minimumIntervalMinutes: number): Promise<string> {
    const kept = this.kept(url);
    const ageMs = kept === undefined ? Infinity : this.clock.epochMs() - kept.fetchedAt;
    if (kept !== undefined && ageMs >= 0 && ageMs < minimumIntervalMinutes * 60_000)
      return kept.body.toString();
    const fetched = await fetchDocument(url, kept ?? {}, this.settings);
    const now = { fetchedAt: this.clock.epochMs() };
    const document = fetched.isUnchanged && kept !== undefined ? { ...kept, ...now } : { ...fetched, ...now };
    if (!('body' in document)) return '';
    this.keep(url, document);
    return document.body.toString();
  }

  private file(url: string): string | undefined {
    return this.folder && path.join(this.folder, createHash('sha256').update(url).digest('hex'));
  }

  private kept(url: string): Kept | undefined {
    const file = this.file(url);
    if (file === undefined) return undefined;
    try {
      const known: unknown = JSON.parse(readFileSync(`${file}.json`, 'utf8'));
      const body = readFileSync(file);
      if (!isObject(known) || known['digest'] !== digest(body)) return undefined;
      const { fetchedAt, etag, lastModified } = known;
      return typeof fetchedAt === 'number'
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
      replaceFile(file, body);
      replaceFile(`${file}.json`, JSON.stringify({ digest: digest(body), fetchedAt, etag, lastModified }));
    } catch {
      // Nothing but the next fetch depends on it.
    }
  }
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const digest = (body: Buffer): string => createHash('sha256').update(body).digest('hex');

/** Writes a file at once or not at all. */
export function replaceFile(file: string, content: string | Buffer): void {
  const draft = `${file}.${process.pid}.new`;
  writeFileSync(draft, content, { mode: 0o644 });
  renameSync(draft, file);
}

function cacheFolder(environment: CliContext['environment']): string | undefined {
  const { XDG_CACHE_HOME: xdg, LOCALAPPDATA: windows, HOME: home } = environment;
  const caches = [xdg, windows, home && path.join(home, '.cache')].find(
    (place) => place && path.isAbsolute(place),
  );
  return caches && path.join(caches, 'edge-policy', 'feeds');
}
