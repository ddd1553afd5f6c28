import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { CliContext } from '../command/context';
import { replaceFile } from '../command/write-file';
import { fetchDocument, type FetchSettings } from './fetch-document';

/**
 * The documents of publishers. Within the interval that a publisher asks for, the one in the user's cache folder is used: it
 * passes the same checks as a fetched one, and lies outside the repository, out of reach of the author of a change.
 */
export class Documents {
  private readonly ofThisRun = new Map<string, Promise<string>>();

  constructor(
    private readonly context: Pick<CliContext, 'clock' | 'environment'>,
    private readonly settings: FetchSettings,
  ) {}

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
    const { clock, environment } = this.context;
    const file = minimumIntervalMinutes === 0 ? undefined : cacheFile(url, environment);
    if (file === undefined) return fetchDocument(url, this.settings);
    const keptAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? -Infinity;
    const ageMs = clock.epochMs() - keptAt;
    if (ageMs >= 0 && ageMs < minimumIntervalMinutes * 60_000) return readFileSync(file, 'utf8');
    const document = await fetchDocument(url, this.settings);
    try {
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      replaceFile(file, document);
    } catch {
      // Failing to write the cache only affects the next run.
    }
    return document;
  }
}

/** A machine without such a folder fetches anew each time. */
function cacheFile(url: string, environment: CliContext['environment']): string | undefined {
  const { XDG_CACHE_HOME: xdg, LOCALAPPDATA: windows, HOME: home } = environment;
  const caches = [xdg, windows, home && path.join(home, '.cache')].find(
    (place) => place && path.isAbsolute(place),
  );
  const name = createHash('sha256').update(url).digest('hex');
  return caches && path.join(caches, 'edge-policy', 'feeds', name);
}
