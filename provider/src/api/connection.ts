import { type Call, type CallParts, CallRunner } from './call';
import { cancellable, type Clock, ServerClock, systemClock } from './clock';
import { callTimeMs, Deadline } from './deadline';
import { Limiter } from './limiter';
import type { ClientSettings } from './client-settings';
import { SecretTexts } from './redact';
import { type Carrier, Transport } from './transport';

/** The surroundings of a client; tests inject their own. */
export interface ClientEnvironment {
  readonly clock: Clock;
  readonly random: () => number;
  /** Shows one line to the user. */
  readonly warn: (line: string) => void;
  /** Carries requests to the service; over HTTP unless given. */
  readonly connect?: (settings: ClientSettings) => Carrier;
}

const systemEnvironment: ClientEnvironment = {
  clock: systemClock,
  random: Math.random,
  warn: (line) => {
    // eslint-disable-next-line no-console -- our own words and numbers; texts of the service are cleaned in redact.ts
    console.warn(line);
  },
};

const hostOf = (baseUrl: string): string | undefined =>
  URL.canParse(baseUrl) ? new URL(baseUrl).host : undefined;

/**
 * What all requests of a process to one account share: connections, the limit of simultaneous requests, pauses that the service
 * asks for, and cancellation.
 */
export class Connection {
  readonly clock: Clock;
  private readonly transport: Carrier;
  private readonly parts: CallParts;
  private readonly cancellation = new AbortController();

  /** @param secrets What no message of the service may tell, besides the key. */
  constructor(
    private readonly settings: ClientSettings,
    environment: ClientEnvironment = systemEnvironment,
    secrets: () => readonly SecretTexts[] = () => [],
  ) {
    const { random, connect = (given: ClientSettings) => new Transport(given) } = environment;
    const clock = cancellable(environment.clock, this.cancellation.signal);
    const onPause = pauseNotice(environment);
    this.clock = clock;
    const key = new SecretTexts(() => [settings.apiKey]);
    const { maxConcurrency, requestsPerMinute, requestTimeoutMs, maxAttempts } = settings;
    this.transport = connect(settings);
    this.parts = {
      transport: this.transport,
      limiter: new Limiter({ clock, random, maxConcurrency, requestsPerMinute, onPause }),
      serverClock: new ServerClock(),
      ...{ clock, random, requestTimeoutMs, maxAttempts },
      secrets: () => [key, ...secrets()],
      host: hostOf(settings.baseUrl),
    };
  }

  /** Starts the time of one operation, or of bulk work, which is limited only while it makes no progress. */
  startOperation(isOfBulkWork = false): Deadline {
    const budgetMs = callTimeMs.getStore() ?? this.settings.operationTimeoutMs;
    return new Deadline(this.clock, budgetMs, this.cancellation.signal, isOfBulkWork);
  }

  startBulkWork(): Deadline {
    return this.startOperation(true);
  }

  /** How many requests may be under way at once. */
  get maxConcurrency(): number {
    return this.settings.maxConcurrency;
  }

  /** Milliseconds to add to our monotonic time to get the service's, never too many; undefined before its first answer. */
  serverTimeOffsetMs(): number | undefined {
    return this.parts.serverClock.offsetMs;
  }

  /** Ends all operations. Requests under way may still be answered, and no further request is sent. */
  cancel(): void {
    this.cancellation.abort();
    this.parts.limiter.advance();
  }

  close(): void {
    this.transport.close();
  }

  protected get baseUrl(): Carrier['baseUrl'] {
    return this.transport.baseUrl;
  }

  protected ask<T>(call: Call<T>, deadline: Deadline): Promise<T> {
    return new CallRunner(this.parts, call, deadline).run();
  }
}

// Shorter pauses are not worth a message.
const LONG_PAUSE_MS = 5000;

/** Tells the user, once per process, why nothing seems to happen. */
function pauseNotice({ clock, warn }: ClientEnvironment): (resumesAt: number) => void {
  let wasSaid = false;
  return (resumesAt) => {
    if (wasSaid || resumesAt - clock.epochMs() < LONG_PAUSE_MS) return;
    wasSaid = true;
    warn(`The service is rate limiting requests: waiting until ${new Date(resumesAt).toISOString()}`);
  };
}
