import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { isUserError, UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import type { FeedDeclaration } from 'pulumi-edge-policy/internal/feeds/feed-declaration';
import { publisherOf } from 'pulumi-edge-policy/internal/feeds/publishers';
import { readSettings } from 'pulumi-edge-policy/internal/settings/settings';
import type { CliContext } from '../command/context';
import { replaceFile } from '../command/write-file';
import { fetchDocument, type FetchSettings, LONGEST_DOCUMENT_BYTES } from './fetch-document';

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
   * The documents of a feed; each is fetched at most once per run, however many feeds use it.
   *
   * @param folder The folder of the declaration.
   * @throws UserError if one cannot be had.
   */
  async of({ source }: FeedDeclaration, folder: string): Promise<string[]> {
    if (source.file !== undefined) return [readDocumentFile(folder, source.file)];
    const publisher = publisherOf(source.publisher);
    const texts: string[] = [];
    for (const url of source.url ?? publisher?.documents ?? []) {
      const known = this.ofThisRun.get(url) ?? this.fetch(url, publisher?.minimumIntervalMinutes ?? 0);
      this.ofThisRun.set(url, known);
      texts.push(await known);
    }
    return texts;
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

/** How documents are fetched. @throws UserError if a setting is wrong: nothing is fetched without the proxy that the user meant. */
export function fetchSettings({ environment }: CliContext): FetchSettings {
  const { settings, problems } = readSettings({ config: () => undefined, environment });
  const wrong = problems.find(({ name }) => name === 'proxy' || name === 'requestTimeoutSeconds');
  if (wrong !== undefined) throw new UserError(wrong.sentence);
  return { proxy: settings.proxy, timeoutMs: settings.requestTimeoutMs };
}
