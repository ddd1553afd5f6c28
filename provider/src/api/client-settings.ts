import { isVisibleAscii } from '../values/printable';
import { RequestError } from './errors';

/** All settings of a client. They are validated where they are read, except for what must hold on the wire. */
export interface ClientSettings {
  /** Sent as `Authorization: Bearer <key>` and nowhere else. */
  readonly apiKey: string;
  readonly baseUrl: string;
  /** Name and value of the header that selects the version of the service. */
  readonly versionHeader: string;
  readonly version: string;
  /** How many requests may be in flight at once. */
  readonly maxConcurrency: number;
  /** Time limit of one attempt, from its first byte to its last. */
  readonly requestTimeoutMs: number;
  /** Time limit of one operation with all its attempts and waits. */
  readonly operationTimeoutMs: number;
  readonly maxAttempts: number;
  /** Limits the pace of requests from the start; if unset, only refusals do. */
  readonly requestsPerMinute?: number | undefined;
  /** URL of an HTTP proxy through which https connections are tunnelled. No other source of proxy settings is used. */
  readonly proxy?: string | undefined;
}

/**
 * Throws a RequestError if a setting must not become a header. Says nothing about the key except that it is wrong. Without this
 * check, the HTTP library strips some forbidden characters and sends the rest: a wrong key, or a split header.
 */
export function checkHeaderSettings({ apiKey, versionHeader, version }: ClientSettings): void {
  if (!isVisibleAscii(apiKey)) {
    throw new RequestError(
      'The API key is empty or contains characters other than visible ASCII (a space or line break?)',
    );
  }
  checkedHeaderName(versionHeader);
  if (!isVisibleAscii(version)) {
    throw new RequestError(
      'The value of the version header is empty or contains characters other than visible ASCII',
    );
  }
}

/**
 * Throws a RequestError if a text cannot name the version header. Section 9 of the document: a word of the service, and "Version".
 * No header that the transport sends itself, that a proxy acts on, or that carries keys has such a name.
 */
export function checkedHeaderName(name: string): string {
  if (/^[A-Za-z0-9-]{1,100}$/.test(name) && /version/i.test(name)) return name;
  throw new RequestError(
    `The name of the version header must be a header name that contains "Version", not ${JSON.stringify(name.slice(0, 40))}`,
  );
}

/** Version of this package as sent in the User-Agent header; a test holds it equal to package.json. */
export const PACKAGE_VERSION = '0.1.0';
