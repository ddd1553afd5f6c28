import { type Call, type CallParts, CallRunner } from './call';
import { cancellable, type Clock, ServerClock } from './clock';
import { Deadline } from './deadline';
import { type ClientEnvironment, overHttp, pauseNotice, systemEnvironment } from './environment';
import { Limiter } from './limiter';
import type { ClientSettings } from './client-settings';
import type { Carrier } from './transport';

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

  constructor(
    private readonly settings: ClientSettings,
    environment: ClientEnvironment = systemEnvironment,
  ) {
    const { random, connect = overHttp } = environment;
    const clock = cancellable(environment.clock, this.cancellation.signal);
    const onPause = pauseNotice(environment);
    this.clock = clock;
    const { apiKey, maxConcurrency, requestsPerMinute, requestTimeoutMs, maxAttempts } = settings;
    this.transport = connect(settings);
    this.parts = {
      transport: this.transport,
      limiter: new Limiter({ clock, random, maxConcurrency, requestsPerMinute, onPause }),
      serverClock: new ServerClock(),
      ...{ clock, random, apiKey, requestTimeoutMs, maxAttempts },
      host: hostOf(settings.baseUrl),
    };
  }

  /** Starts a deadline for one operation. */
  startOperation(): Deadline {
    return new Deadline(this.clock, this.settings.operationTimeoutMs, this.cancellation.signal);
  }

  /** Starts a deadline with a fixed time limit, which progress does not extend. */
  protected finalDeadline(limitMs: number): Deadline {
    const limit = new Deadline(this.clock, limitMs, this.cancellation.signal);
    limit.renew = () => undefined;
    return limit;
  }

  /** Until when (epoch milliseconds) the service wants no request; undefined outside a pause. */
  pausedUntil(): number | undefined {
    return this.parts.limiter.pausedUntil();
  }

  /** How many requests may be under way at once. */
  get maxConcurrency(): number {
    return this.settings.maxConcurrency;
  }

  /** Milliseconds to add to our monotonic time to get the service's, never too many; undefined before its first answer. */
  serverTimeOffsetMs(): number | undefined {
    return this.parts.serverClock.offsetMs;
  }

  /** Ends all operations: requests under way may still be answered, and nothing more is sent. */
  cancel(): void {
    this.cancellation.abort();
    this.parts.limiter.review();
  }

  /** Closes all connections; the client cannot be used any more. */
  close(): void {
    this.transport.close();
  }

  protected get baseUrl(): Carrier['baseUrl'] {
    return this.transport.baseUrl;
  }

  /** One call from its first attempt to its final answer. */
  protected ask<T>(call: Call<T>, deadline: Deadline): Promise<T> {
    return new CallRunner(this.parts, call, deadline).run();
  }
}
