import http from 'node:http';
import https from 'node:https';
import { parseProxy } from 'pulumi-edge-policy/internal/api/base-url';
import { PACKAGE_VERSION } from 'pulumi-edge-policy/internal/api/client-settings';
import { tlsSafety, TunnelAgent } from 'pulumi-edge-policy/internal/api/tunnel-agent';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { urlProblem } from 'pulumi-edge-policy/internal/feeds/feed-declaration';

/** How a document is fetched. */
export interface FetchSettings {
  /** URL of an HTTP proxy for https. */
  readonly proxy?: string | undefined;
  /** Time limit of one document with all its redirects, from the first byte to the last. */
  readonly timeoutMs: number;
}

/** The largest document allowed, in bytes: the largest of any publisher has a sixth of it. */
export const LONGEST_DOCUMENT_BYTES = 32 * 1024 * 1024;

const MOST_REDIRECTS = 5;

/**
 * Fetches one document, without any credentials.
 *
 * @throws UserError with the reason, if it cannot be had in full.
 */
export async function fetchDocument(url: string, { proxy, timeoutMs }: FetchSettings): Promise<string> {
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
