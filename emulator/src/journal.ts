import type { IncomingHttpHeaders } from 'node:http';

/** One request as it arrived, and its outcome. */
export interface JournalEntry {
  readonly number: number;
  readonly method: string;
  /** Without base path and query. */
  readonly path: string;
  readonly url: string;
  /** With the credentials masked. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Arrival, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** The account of the API key, if it has one. */
  account?: string;
  /** Parsed if it was JSON, otherwise the text. */
  body?: unknown;
  /** The status sent; absent while the request has no response, or if it was never answered. */
  status?: number;
  fault?: string;
  /** When the response was sent or the connection ended. */
  endedAt?: number;
}

/** `full` keeps entries, `counts` only the number of requests per operation. */
export type JournalMode = 'full' | 'counts';

/** How many entries are kept at least. */
const LIMIT = 50_000;

export interface Arrival extends Pick<JournalEntry, 'method' | 'path' | 'url'> {
  readonly headers: IncomingHttpHeaders;
  /** `METHOD /path/{template}`, or the plain path for a request without an operation. */
  readonly operation: string;
}

/** Past requests, without the oldest ones of very many. */
export class Journal {
  private kept: JournalEntry[] = [];
  private operationCounts = new Map<string, number>();
  private lastNumber = 0;

  constructor(
    readonly mode: JournalMode,
    private readonly nowMs: () => number,
  ) {}

  get entries(): readonly JournalEntry[] {
    return this.kept;
  }

  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.operationCounts);
  }

  /** Opens the entry of a request; it can be filled in even if it is not kept. */
  open(arrival: Arrival): JournalEntry {
    const { method, path, url, operation } = arrival;
    this.operationCounts.set(operation, (this.operationCounts.get(operation) ?? 0) + 1);
    const headers = maskCredentials(arrival.headers);
    const entry = { number: ++this.lastNumber, method, path, url, headers, startedAt: this.nowMs() };
    if (this.mode === 'full') this.kept.push(entry);
    // Dropping entries in large pieces keeps the cost per request constant.
    if (this.kept.length >= 2 * LIMIT) this.kept = this.kept.slice(-LIMIT);
    return entry;
  }

  close(entry: JournalEntry, status?: number): void {
    entry.endedAt = this.nowMs();
    if (status !== undefined) entry.status = status;
  }

  clear(): void {
    this.kept = [];
    this.operationCounts = new Map();
    this.lastNumber = 0;
  }
}

function maskCredentials(headers: IncomingHttpHeaders): JournalEntry['headers'] {
  if (headers.authorization === undefined) return { ...headers };
  return { ...headers, authorization: headers.authorization.replace(/\S+$/, '***') };
}
