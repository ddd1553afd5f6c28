// What for: the operations of the service: requests, retries, rate limits, paging, strict decoding, clean errors.
// Must not know: Pulumi, `resources`, `errors`, or what a caller makes of an answer.
import { createHmac } from 'node:crypto';
import type { RequestBody } from '../fields/field';
import { createBody, type PolicyRule, type RuleChange, type ServiceRule } from '../rule/rule';
import { safe } from './base-url';
import { type Call, type CallParts, CallRunner, type IsStillDue } from './call';
import type { ClientSettings } from './client-settings';
import {
  callTimeMs,
  cancellable,
  type Clock,
  DATE_STEP_MS,
  Deadline,
  ServerClock,
  systemClock,
} from './clock';
import { decodeIpPolicyRuleList, orNone, ruleLike, type RulePage, type RuleRef, sameRule } from './decode';
import { RequestError } from './errors';
import { Limiter } from './limiter';
import { pages } from './paging';
import { json, nothing } from './answer-policy';
import { SecretTexts } from './redact';
import { type Carrier, LONGEST_PAGE_BYTES, Transport } from './transport';

export type { ClientSettings } from './client-settings';

/** The three requests about one module (sections 4.2 and 4.3). */
export interface ModuleEndpoint<Live> {
  /** `GET`; undefined if the service answers 200 and has none. */
  get(deadline: Deadline): Promise<Live | undefined>;
  /** `PUT` with all fields. */
  replace(body: RequestBody, deadline: Deadline): Promise<Live>;
  delete(deadline: Deadline, isStillDue?: IsStillDue): Promise<void>;
}

export interface ModuleAddress<Live> {
  readonly path: string;
  readonly decode: (value: unknown) => Live;
}

/** Tests inject their own. */
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

/**
 * The service (section 4). Every request repeats what may be repeated, and throws one of the errors of errors.ts. The requests
 * of one client share connections, the limit of simultaneous requests, pauses that the service asks for, and cancellation.
 */
export class ApiClient {
  /** Called for each write to a rule, as soon as its outcome is known or has failed. */
  onRuleWrite: (id: string) => void = () => undefined;

  /** How far a time of creation was ahead of the Date header, at least, as far as this run has seen. */
  createdAtAheadMs = 0;
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
      host: new URL(this.transport.baseUrl.href).host,
    };
  }

  /** A digest of a text that may be secret. Without the API key nobody can compare it with a guess. */
  digest(text: string): string {
    return createHmac('sha256', this.settings.apiKey).update(text).digest('base64url');
  }

  /** Starts the time of one operation, or of bulk work, which is limited only while it makes no progress. */
  startOperation(isOfBulkWork = false): Deadline {
    const budgetMs = callTimeMs.getStore() ?? this.settings.operationTimeoutMs;
    return new Deadline(this.clock, budgetMs, this.cancellation.signal, isOfBulkWork);
  }

  startBulkWork(): Deadline {
    return this.startOperation(true);
  }

  /** Starts bulk work that several calls of the engine share. It gets the time of the settings, whatever time they have. */
  startSharedWork(): Deadline {
    return callTimeMs.exit(() => this.startBulkWork());
  }

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

  /** Not repeated after an ambiguous failure: look the rule up. No rule older than `onSend` results from a lost answer. */
  async createIpPolicyRule(
    rule: PolicyRule,
    deadline: Deadline,
    attempts: Pick<Call<ServiceRule>, 'onSend' | 'isOnNewConnection'> = {},
  ): Promise<ServiceRule> {
    const body = createBody(rule);
    const call = { method: 'POST', path: '/ip_policy_rules', body, successStatus: 201 } as const;
    const created = await this.ask({ ...call, read: json(ruleLike(rule)), ...attempts }, deadline);
    this.onRuleWrite(created.id);
    const latestMs = this.clock.monotonicMs() + (this.serverTimeOffsetMs() ?? Infinity) + DATE_STEP_MS;
    this.createdAtAheadMs = Math.max(this.createdAtAheadMs, Date.parse(created.createdAt) - latestMs || 0);
    return created;
  }

  async getIpPolicyRule(rule: RuleRef, deadline: Deadline): Promise<ServiceRule> {
    const path = `/ip_policy_rules/${safe(rule.id)}`;
    return this.ask({ method: 'GET', path, successStatus: 200, read: json(sameRule(rule)) }, deadline);
  }

  /** `GET /ip_policy_rules`, page by page. For bulk work, each page is progress. */
  async *listIpPolicyRules(deadline: Deadline): AsyncGenerator<RulePage, void> {
    const call = {
      ...({ method: 'GET', path: '/ip_policy_rules', successStatus: 200 } as const),
      longestAnswerBytes: LONGEST_PAGE_BYTES,
    };
    const read = json(decodeIpPolicyRuleList);
    const fetchPage = (query: string): Promise<RulePage> => this.ask({ ...call, query, read }, deadline);
    for await (const page of pages(this.transport.baseUrl, fetchPage)) {
      deadline.noteProgress();
      yield page;
    }
  }

  /** `PATCH /ip_policy_rules/{id}` with the changed fields. An empty update is a bug of the caller. */
  async updateIpPolicyRule(rule: RuleRef, body: RuleChange, deadline: Deadline): Promise<ServiceRule> {
    if (Object.keys(body).length === 0) throw new RequestError('An update must change something');
    const path = `/ip_policy_rules/${safe(rule.id)}`;
    const call = { method: 'PATCH', path, body, successStatus: 200, read: json(sameRule(rule)) } as const;
    return this.writeRule(rule.id, call, deadline);
  }

  async deleteIpPolicyRule(id: string, deadline: Deadline, isStillDue?: IsStillDue): Promise<void> {
    const path = `/ip_policy_rules/${safe(id)}`;
    const call = { method: 'DELETE', path, successStatus: 204, read: nothing, isStillDue } as const;
    await this.writeRule(id, call, deadline);
  }

  module<Live>({ path, decode }: ModuleAddress<Live>): ModuleEndpoint<Live> {
    return {
      get: (deadline) =>
        this.ask({ method: 'GET', path, successStatus: 200, read: json(orNone(decode)) }, deadline),
      replace: (body, deadline) =>
        this.ask({ method: 'PUT', path, body, successStatus: 200, read: json(decode) }, deadline),
      delete: (deadline, isStillDue) =>
        this.ask({ method: 'DELETE', path, successStatus: 204, read: nothing, isStillDue }, deadline),
    };
  }

  private async writeRule<T>(id: string, call: Call<T>, deadline: Deadline): Promise<T> {
    try {
      return await this.ask(call, deadline);
    } finally {
      this.onRuleWrite(id);
    }
  }

  private ask<T>(call: Call<T>, deadline: Deadline): Promise<T> {
    return new CallRunner(this.parts, call, deadline).run();
  }
}

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
