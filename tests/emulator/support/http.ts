import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';

export interface Outgoing {
  method: string;
  url: string;
  body?: string | Buffer;
  /** A header whose value is undefined is left out. */
  headers?: Record<string, string | undefined>;
  /** Certificates to trust for https. */
  ca?: string;
  /** Ends the request of a client that gives up. */
  signal?: AbortSignal;
}

export interface HttpAnswer {
  status: number;
  headers: IncomingMessage['headers'];
  rawHeaders: string[];
  text: string;
  /** How many pieces the body came in. */
  pieces: number;
  json(): unknown;
}

/** Sends one request on a connection of its own and reads the whole answer; rejects when it is not complete. */
export function send(outgoing: Outgoing): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const url = new URL(outgoing.url);
    const headers = Object.fromEntries(
      Object.entries(outgoing.headers ?? {}).filter(([, value]) => value !== undefined),
    );
    const options: RequestOptions = {
      host: url.hostname,
      port: url.port,
      // Not `url.pathname`: what is sent must be what the test wrote.
      path: outgoing.url.slice(url.origin.length),
      method: outgoing.method,
      headers,
      agent: false,
      ...(outgoing.ca === undefined ? {} : { ca: outgoing.ca }),
      ...(outgoing.signal === undefined ? {} : { signal: outgoing.signal }),
    };
    const request = url.protocol === 'https:' ? httpsRequest(options) : httpRequest(options);
    request.on('error', reject);
    request.on('response', (response) => {
      readAnswer(response).then(resolve, reject);
    });
    request.end(outgoing.body);
  });
}

async function readAnswer(response: IncomingMessage): Promise<HttpAnswer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    rawHeaders: response.rawHeaders,
    text,
    pieces: chunks.length,
    json: () => JSON.parse(text) as unknown,
  };
}

/** What a failed request failed with: `ECONNRESET`, `HPE_HEADER_OVERFLOW`, ... */
export async function failureOf(answer: Promise<unknown>): Promise<string> {
  try {
    await answer;
  } catch (error) {
    const { code } = error as { code?: unknown };
    return typeof code === 'string' ? code : String(error);
  }
  return 'none';
}
