import {
  decideRetry,
  type Expected,
  outcomeOfStatus,
  parseRetryAfter,
  readSuccess,
  type Repeatability,
  retryDelayMs,
  toApiError,
} from './answer-policy';
import type { Clock, Deadline, ServerClock } from './clock';
import { AnswerError, CalledOffError, ConnectionError, DeadlineError, type Outcome } from './errors';
import { type Limiter, NoPermitError, type Release } from './limiter';
import type { SecretTexts } from './redact';
import type { Reply, Transport } from './transport';

export type IsStillDue = () => boolean;

export interface Call<T> extends Expected<T> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Query with its question mark, or empty. */
  readonly query?: string;
  readonly body?: object | undefined;
  /** The longest body that an answer may have, if it is more than usual. */
  readonly longestAnswerBytes?: number;
  /** Whether each attempt gets a connection that nothing was sent on before. */
  readonly isOnNewConnection?: boolean;
  /** Called with the time of each attempt as it leaves (milliseconds of our monotonic clock). */
  readonly onSend?: ((sentAtMs: number) => void) | undefined;
  /** Asked before each attempt until one may have had its effect. If it returns false, the call ends with a `CalledOffError`. */
  readonly isStillDue?: IsStillDue | undefined;
}

export interface CallParts {
  readonly transport: Pick<Transport, 'send'>;
  readonly limiter: Limiter;
  readonly serverClock: ServerClock;
  readonly clock: Clock;
  readonly random: () => number;
  readonly secrets: () => readonly SecretTexts[];
  /** The service's host and port, for errors. */
  readonly host?: string | undefined;
  readonly requestTimeoutMs: number;
  readonly maxAttempts: number;
}

/** A failed attempt. The error itself is built last, once the outcome of all attempts together is known. */
interface FailedAttempt {
  readonly outcome: Outcome;
  readonly retryAfterMs?: number | undefined;
  readonly toError: (outcome: Outcome) => Error;
}

type Attempted<T> = { readonly value: T } | FailedAttempt;

// One shared object, as making an error for each request costs a twentieth of its time.
const ended = new Error('the attempt has ended');

// All requests but a create carry absolute values, so a second one changes nothing that the first did not.
const repeatabilityOf = (method: string): Repeatability =>
  method === 'POST' ? 'unless-ambiguous' : 'always';

export class CallRunner<T> {
  private attempts = 0;
  private outcome: Outcome | undefined;
  private lastError: Error | undefined;

  constructor(
    private readonly parts: CallParts,
    private readonly call: Call<T>,
    private readonly deadline: Deadline,
  ) {}

  async run(): Promise<T> {
    const { maxAttempts } = this.parts;
    for (;;) {
      const verdict = await this.attempt();
      if ('value' in verdict) return verdict.value;
      const { outcome, retryAfterMs } = verdict;
      // No later answer takes back what one ambiguous attempt may have done.
      if (this.outcome !== 'ambiguous') this.outcome = outcome;
      this.lastError = verdict.toError(this.outcome);
      if (outcome !== 'rate-limited') this.attempts += 1;
      const repeatability = repeatabilityOf(this.call.method);
      const decision = decideRetry({ outcome, repeatability, attempts: this.attempts, maxAttempts });
      if (decision === 'give-up') throw this.lastError;
      // The limiter does the other waiting, as it holds back all requests of the process.
      if (decision === 'retry') await this.backOff(retryAfterMs);
    }
  }

  private async backOff(retryAfterMs: number | undefined): Promise<void> {
    const { clock, random } = this.parts;
    const delayMs = retryDelayMs(this.attempts, retryAfterMs, random);
    if (delayMs >= this.deadline.remainingMs()) {
      throw this.deadlineError(retryAfterMs === undefined ? undefined : clock.epochMs() + delayMs);
    }
    await clock.sleep(delayMs);
  }

  private async attempt(): Promise<Attempted<T>> {
    const release = await this.acquire();
    // Once an attempt may have had its effect, the call can no longer be called off.
    if (this.outcome !== 'ambiguous' && this.call.isStillDue?.() === false) {
      release('lost');
      throw new CalledOffError(this.call);
    }
    const { clock, serverClock } = this.parts;
    const sentAt = clock.monotonicMs();
    this.call.onSend?.(sentAt);
    const reply = await this.send(release);
    if (reply.kind === 'no-response') {
      release('lost');
      return this.judgeNoResponse(reply);
    }
    const answeredAt = clock.monotonicMs();
    serverClock.observe(reply.date, sentAt, answeredAt);
    const { offsetMs } = serverClock;
    const serverNowMs = offsetMs === undefined ? clock.epochMs() : answeredAt + offsetMs;
    const retryAfterMs = parseRetryAfter(reply.retryAfter, serverNowMs);
    release(reply.status === 429 ? 'refused' : 'accepted', retryAfterMs);
    return this.judgeAnswer(reply, retryAfterMs);
  }

  private async acquire(): Promise<Release> {
    try {
      return await this.parts.limiter.acquire(this.deadline);
    } catch (error) {
      throw error instanceof NoPermitError ? this.deadlineError(error.resumesAt) : error;
    }
  }

  private async send(release: Release): Promise<Reply> {
    const { transport, clock, requestTimeoutMs } = this.parts;
    const { method, path, query = '', ...rest } = this.call;
    const { body, longestAnswerBytes, isOnNewConnection } = rest;
    const attempt = new AbortController();
    const boundMs = Math.min(requestTimeoutMs, this.deadline.remainingMs());
    const end = (): void => {
      attempt.abort(ended);
    };
    clock.sleep(boundMs, attempt.signal).then(end, () => undefined);
    try {
      const target = path + query;
      const { signal } = attempt;
      return await transport.send({ method, target, body, longestAnswerBytes, isOnNewConnection, signal });
    } catch (error) {
      release('lost');
      throw error;
    } finally {
      // Stops the sleep; the attempt itself has ended.
      end();
    }
  }

  private judgeNoResponse({ reason, code, wasSent }: Reply & { kind: 'no-response' }): FailedAttempt {
    const { method, path } = this.call;
    const { host } = this.parts;
    return {
      // Unless the connection was up, no byte of the request has left.
      outcome: wasSent ? 'ambiguous' : 'not-sent',
      toError: (outcome) => new ConnectionError({ method, path, reason, code, host, outcome }),
    };
  }

  private judgeAnswer({ status, body }: Reply & { kind: 'answer' }, retryAfterMs?: number): Attempted<T> {
    const { method, path } = this.call;
    if (status >= 200 && status < 300) {
      try {
        return { value: readSuccess(this.call, status, body) };
      } catch (error) {
        if (error instanceof AnswerError) return { outcome: 'ambiguous', toError: () => error };
        throw error;
      }
    }
    const secrets = this.parts.secrets();
    return {
      outcome: outcomeOfStatus(status, body),
      retryAfterMs,
      toError: (outcome) => toApiError({ method, path, status, body, outcome, secrets }),
    };
  }

  private deadlineError(resumesAt: number | undefined): DeadlineError {
    const { method, path } = this.call;
    return new DeadlineError({
      method,
      path,
      outcome: this.outcome ?? 'not-sent',
      budgetMs: this.deadline.budgetMs,
      setting: this.deadline.setting,
      lastError: this.lastError?.message,
      resumesAt,
      isCancelled: this.deadline.isCancelled,
    });
  }
}
