import { RequestError } from './errors';

/** All settings of a client, validated where they are read: what is no header would be stripped by the HTTP library, or split one. */
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
