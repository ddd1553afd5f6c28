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

/** Version of this package as sent in the User-Agent header; a test holds it equal to package.json. */
export const PACKAGE_VERSION = '0.1.0';
