import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { isUserError, UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { type FeedDeclaration, urlProblem } from 'pulumi-edge-policy/internal/feeds/feed-declaration';
import { type Publisher, PUBLISHERS } from 'pulumi-edge-policy/internal/feeds/publishers';
import { readSettings } from 'pulumi-edge-policy/internal/settings/settings';
import type { CliContext } from '../command/context';
import { replaceFile } from '../command/write-file';
import http from 'node:http';
import https from 'node:https';
import { parseProxy } from 'pulumi-edge-policy/internal/api/base-url';
import { PACKAGE_VERSION } from 'pulumi-edge-policy/internal/api/client-settings';
import { tlsSafety, TunnelAgent } from 'pulumi-edge-policy/internal/api/tunnel-agent';

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
    const publisher: Publisher | undefined = source.publisher && PUBLISHERS[source.publisher];
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

interface FetchSettings {
  readonly proxy?: string | undefined;
  /** Time limit of one document with all its redirects, from the first byte to the last. */
  readonly timeoutMs: number;
}

/** The largest document allowed, in bytes: the largest of any publisher has a sixth of it. */
const LONGEST_DOCUMENT_BYTES = 32 * 1024 * 1024;

const MOST_REDIRECTS = 5;

/** Fetches one document, without any credentials. @throws UserError with the reason, if it cannot be had in full. */
async function fetchDocument(url: string, { proxy, timeoutMs }: FetchSettings): Promise<string> {
  const agent =
    proxy === undefined
      ? new https.Agent(tlsSafety)
      : new TunnelAgent(parseProxy(proxy), timeoutMs, tlsSafety);
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    return await follow(url, { agent, signal });
  } catch (error) {
    // Of an address only the host is shown, as the rest may be private.
    const from = `from ${new URL(url).host}: `;
    if (error instanceof UserError) throw new UserError(from + error.message, { cause: error });
    if (signal.aborted)
      throw new UserError(`${from}there was no answer within ${timeoutMs / 1000} seconds`, { cause: error });
    const { code } = error as NodeJS.ErrnoException;
    const reason = /^[A-Z0-9_]{1,60}$/.exec(code ?? '')?.[0];
    throw new UserError(`${from}it could not be fetched (${reason ?? 'the connection broke'})`, {
      cause: error,
    });
  } finally {
    agent.destroy();
  }
}

interface Way {
  readonly agent: https.Agent;
  readonly signal: AbortSignal;
}

async function follow(start: string, way: Way): Promise<string> {
  let url = new URL(start);
  for (let hop = 0; hop <= MOST_REDIRECTS; hop += 1) {
    const answer = await ask(url, way);
    const target = redirectOf(answer);
    if (target === undefined) {
      refuseAnswer(answer);
      return await readWhole(answer);
    }
    answer.destroy();
    url = nextUrl(url, target);
  }
  throw new UserError(`it is behind more than ${MOST_REDIRECTS} redirects`);
}

const ask = (url: URL, { agent, signal }: Way): Promise<http.IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = {
      Accept: '*/*',
      'Accept-Encoding': 'identity',
      'User-Agent': `pulumi-edge-policy/${PACKAGE_VERSION}`,
    };
    const request =
      url.protocol === 'https:'
        ? https.get(url, { agent, headers, signal })
        : http.get(url, { agent: false, headers, signal });
    request.once('response', resolve);
    request.on('error', reject);
  });

function redirectOf({ statusCode, headers }: http.IncomingMessage): string | undefined {
  return [301, 302, 303, 307, 308].includes(statusCode ?? 0) ? (headers.location ?? '') : undefined;
}

function nextUrl(from: URL, target: string): URL {
  const next = URL.canParse(target, from.href) ? new URL(target, from) : undefined;
  const leavesHttps = from.protocol === 'https:' && next?.protocol !== 'https:';
  if (next === undefined || leavesHttps || urlProblem(next.href) !== undefined)
    throw new UserError('it is behind a redirect that leads away from https');
  return next;
}

function refuseAnswer({ statusCode = 0, headers }: http.IncomingMessage): void {
  if (statusCode !== 200) throw new UserError(`the publisher returned status ${statusCode}`);
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new UserError('it came in an encoding that was not requested');
  if (headers['content-length'] === undefined && headers['transfer-encoding'] !== 'chunked')
    throw new UserError(
      'the publisher does not say how long it is, so a truncated document would go unnoticed',
    );
}

async function readWhole(answer: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > LONGEST_DOCUMENT_BYTES) {
      throw new UserError(`it is larger than ${LONGEST_DOCUMENT_BYTES / 1024 / 1024} MiB`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
