import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { AxiosHeaders, type AxiosResponse, getAdapter, type InternalAxiosRequestConfig } from 'axios';
import { type BaseUrl, parseBaseUrl, parseProxy } from './base-url';
import { type ConnectionReason, RequestError } from './errors';
import { type Body, reasonOfNoResponse } from './answer-policy';
import { type ClientSettings, PACKAGE_VERSION } from './client-settings';
import { tlsSafety, TunnelAgent } from './tunnel-agent';

export interface Attempt {
  readonly method: string;
  /** Path and query below the base URL. */
  readonly target: string;
  readonly body?: object | undefined;
  /** The longest body that an answer may have; 8 MiB unless given. */
  readonly longestAnswerBytes?: number | undefined;
  /** Whether it gets a connection that nothing was sent on before. */
  readonly isOnNewConnection?: boolean | undefined;
  /** Aborts the attempt at any stage, even in the middle of a body. */
  readonly signal: AbortSignal;
}

/** The result of an attempt: plain data, nothing from the HTTP library. */
export type Reply =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly body: Body;
      readonly retryAfter: string | undefined;
      readonly date: string | undefined;
    }
  | {
      readonly kind: 'no-response';
      readonly reason: ConnectionReason;
      readonly code: string | undefined;
      readonly wasSent: boolean;
    };

const MIB = 1024 * 1024;
const LONGEST_ANSWER_BYTES = 8 * MIB;

/** A page may hold all rules of the account: about 150,000 fit. */
export const LONGEST_PAGE_BYTES = 64 * MIB;

// Servers commonly close idle connections after 5 s, and a request that uses one at that moment ends in an unclear state.
const IDLE_SOCKET_MS = 4000;

function parseBody(text: unknown): Body {
  if (typeof text !== 'string' || text === '') return { kind: 'empty' };
  try {
    return { kind: 'json', value: JSON.parse(text) as unknown };
  } catch {
    return { kind: 'other' };
  }
}

/** Whether a URL is at the origin of the base URL and at or below its path, without user info. */
export const isBelow = (base: BaseUrl, url: URL): boolean =>
  url.origin === base.origin &&
  url.username === '' &&
  url.password === '' &&
  url.pathname.startsWith(`${base.pathPrefix}/`);

/** The URL of a target (path and query below the base URL). Throws if it would lead anywhere else. */
export function resolveTarget(base: BaseUrl, target: string): URL {
  const url = new URL(base.href + target);
  if (target.startsWith('/') && isBelow(base, url)) return url;
  throw new RequestError('A request would have gone outside the base URL');
}

// Options that the library would otherwise build for every request, and defaults of the library that we do not want.
const fixedConfig = {
  // The library's own proxy support would install an agent without keep-alive, and honour the environment.
  proxy: false,
  maxRedirects: 0,
  maxBodyLength: Infinity,
  // The library's own parsing turns an empty body into a string and an unreadable one into an exception without its status.
  responseType: 'text',
  validateStatus: () => true,
} satisfies Partial<InternalAxiosRequestConfig>;

/** What the client uses of its transport; tests put others in its place. */
export type Carrier = Pick<Transport, 'baseUrl' | 'send' | 'close'>;

/** Sends requests to one base URL. Nothing else knows the HTTP library. */
export class Transport {
  readonly baseUrl: BaseUrl;
  private readonly agents: ReturnType<typeof createAgents>;
  private readonly agentsWithoutReuse: ReturnType<typeof createAgents>;
  private readonly headers: Readonly<Record<string, string>>;
  private readonly adapter = getAdapter('http');

  constructor(settings: ClientSettings) {
    this.baseUrl = parseBaseUrl(settings.baseUrl);
    this.agents = createAgents(settings, true);
    this.agentsWithoutReuse = createAgents(settings, false);
    this.headers = {
      Accept: 'application/json',
      Authorization: `Bearer ${settings.apiKey}`,
      'User-Agent': `pulumi-edge-policy/${PACKAGE_VERSION}`,
      [settings.versionHeader]: settings.version,
    };
  }

  /** Makes one attempt; never throws for failures on the way. */
  async send(attempt: Attempt): Promise<Reply> {
    const { method, target, body, longestAnswerBytes, signal } = attempt;
    const agents = attempt.isOnNewConnection === true ? this.agentsWithoutReuse : this.agents;
    const url = resolveTarget(this.baseUrl, target);
    const connection = new ConnectionWatch(url.protocol === 'https:' ? https : http);
    const ownHeaders = body === undefined ? {} : { 'Content-Type': 'application/json' };
    try {
      const answer = await this.adapter({
        ...fixedConfig,
        method,
        url: url.href,
        headers: new AxiosHeaders({ ...this.headers, ...ownHeaders }),
        maxContentLength: longestAnswerBytes ?? LONGEST_ANSWER_BYTES,
        data: body === undefined ? undefined : JSON.stringify(body),
        signal,
        transport: connection,
        httpAgent: agents.http,
        httpsAgent: agents.https,
      });
      return toReply(answer);
    } catch (error) {
      return toNoResponse(error, signal, connection.wasSent);
    }
  }

  close(): void {
    this.agents.http.destroy();
    this.agents.https.destroy();
  }
}

function createAgents({ proxy, maxConcurrency, requestTimeoutMs }: ClientSettings, keepAlive: boolean) {
  const options = { keepAlive, maxSockets: maxConcurrency, timeout: IDLE_SOCKET_MS };
  const tlsOptions = { ...options, ...tlsSafety };
  return {
    http: new http.Agent(options),
    https:
      proxy === undefined
        ? new https.Agent(tlsOptions)
        : new TunnelAgent(parseProxy(proxy), requestTimeoutMs, tlsOptions),
  };
}

/** Takes the place of the library's transport to see when a connection is up: until then nothing of the request has left. */
class ConnectionWatch {
  wasSent = false;

  constructor(private readonly protocol: typeof http | typeof https) {}

  request(
    options: https.RequestOptions,
    onAnswer: (answer: http.IncomingMessage) => void,
  ): http.ClientRequest {
    const request = this.protocol.request(options, onAnswer);
    request.once('socket', (socket: Socket) => {
      const event = eventBeforeBytes(socket);
      if (event === undefined) this.wasSent = true;
      else socket.once(event, () => void (this.wasSent = true));
    });
    return request;
  }
}

/**
 * The event that a socket still waits for before it can send. Only the socket's own state shows this: an agent hands a
 * connected socket to a queued request without setting `reusedSocket`, and its `secureConnect` never fires again.
 */
function eventBeforeBytes(socket: Socket): 'connect' | 'secureConnect' | undefined {
  // A handshake inside a tunnel begins on a connection that is up.
  if ('secureConnecting' in socket) return socket.secureConnecting === true ? 'secureConnect' : undefined;
  return socket.connecting ? 'connect' : undefined;
}

function headerOf(answer: AxiosResponse<unknown>, name: string): string | undefined {
  const value: unknown = answer.headers[name];
  return typeof value === 'string' ? value : undefined;
}

const toReply = (answer: AxiosResponse<unknown>): Reply => ({
  kind: 'answer',
  status: answer.status,
  body: parseBody(answer.data),
  retryAfter: headerOf(answer, 'retry-after'),
  date: headerOf(answer, 'date'),
});

// Of the library's error only the code is kept: everything else in it may lead to the headers and the key.
function toNoResponse(error: unknown, signal: AbortSignal, wasSent: boolean): Reply {
  const { code, message } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  const cleanCode = code !== undefined && /^[A-Z0-9_]{1,60}$/.test(code) ? code : undefined;
  const isTooLarge = message?.startsWith('maxContentLength') ?? false;
  const reason = reasonOfNoResponse({ code: cleanCode, wasSent, isTimeout: signal.aborted, isTooLarge });
  return { kind: 'no-response', reason, code: cleanCode, wasSent };
}
