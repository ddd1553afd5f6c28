import type { RequestBody } from '../fields/bodies';
import { createBody, type PolicyRule, type RuleChange, type ServiceRule } from '../rule/rule';
import { isSafeId } from '../values/identifiers';
import { json, nothing } from './answer';
import { cancellable, type Clock, ServerClock } from './clock';
import { Deadline } from './deadline';
import {
  decodeHttpsEdgeRouteUserAgentFilterModule,
  decodeIpPolicyRuleList,
  decodeTcpEdgeTrafficPolicyModule,
  type HttpsEdgeRouteRef,
  type HttpsEdgeRouteUserAgentFilterModuleWire as UserAgentFilterWire,
  orNone,
  ruleLike,
  type RulePage,
  type RuleRef,
  sameRule,
  type TcpEdgeTrafficPolicyModuleWire as TrafficPolicyWire,
} from './decode';
import { type ClientEnvironment, overHttp, pauseNotice, systemEnvironment } from './environment';
import { RequestError } from './errors';
import { CallRunner, type Call, type CallParts } from './call';
import { Limiter } from './limiter';
import { pages } from './paging';
import type { ClientSettings } from './settings';
import { type Carrier, LONGEST_PAGE_BYTES } from './transport';

export type { ClientSettings } from './settings';

/** Whether an attempt may still be sent; asked before each. */
export type MaySend = () => boolean;

/** What a write of this client made of a rule: unsure after a failure, as it may have been carried out. */
export type WrittenRule = ServiceRule | 'gone' | 'unsure';

/** Told of each write to a rule as soon as its outcome is known. */
export type RuleWriteListener = (id: string, written: WrittenRule) => void;

const hostOf = (baseUrl: string): string | undefined =>
  URL.canParse(baseUrl) ? new URL(baseUrl).host : undefined;

function safe(id: string): string {
  if (isSafeId(id)) return id;
  throw new RequestError('An identifier must be 1 to 128 letters, digits, _ or -');
}

const trafficPolicyPath = (edgeId: string): string => `/edges/tcp/${safe(edgeId)}/traffic_policy`;

const userAgentFilterPath = ({ edgeId, routeId }: HttpsEdgeRouteRef): string =>
  `/edges/https/${safe(edgeId)}/routes/${safe(routeId)}/user_agent_filter`;

/**
 * The service, one method per endpoint of section 4. Every method takes a deadline, repeats what may be repeated, and
 * throws one of the errors of errors.ts. One client per process and account: it holds the limit of simultaneous
 * requests and the pauses that the service asks for.
 */
export class ApiClient {
  readonly clock: Clock;
  private readonly transport: Carrier;
  private readonly parts: CallParts;
  private readonly ruleWriteListeners: RuleWriteListener[] = [];
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

  /** A deadline for one operation, from now on. */
  startOperation(): Deadline {
    return new Deadline(this.clock, this.settings.operationTimeoutMs, this.cancellation.signal);
  }

  /** This client for one operation that ends so long from now, whatever progress it makes. */
  within(limitMs: number): ApiClient {
    const limit = new Deadline(this.clock, limitMs, this.cancellation.signal);
    limit.renew = () => undefined;
    return Object.assign(Object.create(this) as ApiClient, { startOperation: () => limit });
  }

  /**
   * `POST /ip_policy_rules`. After an ambiguous failure it is not repeated: the caller must look the rule up.
   *
   * @param onSend Told when each attempt leaves, as no rule that is older can be the one of a lost answer.
   */
  async createIpPolicyRule(
    rule: PolicyRule,
    deadline: Deadline,
    onSend?: (sentAtMs: number) => void,
  ): Promise<ServiceRule> {
    const body = createBody(rule);
    const call = { method: 'POST', path: '/ip_policy_rules', body, successStatus: 201 } as const;
    const created = await this.ask({ ...call, read: json(ruleLike(rule)), onSend }, deadline);
    this.tellOfWrite(created.id, created);
    return created;
  }

  /** `GET /ip_policy_rules/{id}`. */
  async getIpPolicyRule(rule: RuleRef, deadline: Deadline): Promise<ServiceRule> {
    const path = `/ip_policy_rules/${safe(rule.id)}`;
    return this.ask({ method: 'GET', path, successStatus: 200, read: json(sameRule(rule)) }, deadline);
  }

  /** `GET /ip_policy_rules`, page by page. Each page renews the deadline: a long list outlives one operation. */
  async *listIpPolicyRules(deadline: Deadline): AsyncGenerator<RulePage, void> {
    const call = {
      ...({ method: 'GET', path: '/ip_policy_rules', successStatus: 200 } as const),
      longestAnswerBytes: LONGEST_PAGE_BYTES,
    };
    const read = json(decodeIpPolicyRuleList);
    const fetchPage = (query: string): Promise<RulePage> => this.ask({ ...call, query, read }, deadline);
    for await (const page of pages(this.transport.baseUrl, fetchPage)) {
      deadline.renew();
      yield page;
    }
  }

  /** `PATCH /ip_policy_rules/{id}` with the changed fields. An empty update is a mistake of the caller. */
  async updateIpPolicyRule(rule: RuleRef, body: RuleChange, deadline: Deadline): Promise<ServiceRule> {
    if (Object.keys(body).length === 0) throw new RequestError('An update must change something');
    const path = `/ip_policy_rules/${safe(rule.id)}`;
    const call = { method: 'PATCH', path, body, successStatus: 200, read: json(sameRule(rule)) } as const;
    const updated = await this.writeRule(rule.id, call, deadline);
    this.tellOfWrite(rule.id, updated);
    return updated;
  }

  /** `DELETE /ip_policy_rules/{id}`. */
  async deleteIpPolicyRule(id: string, deadline: Deadline, maySend?: MaySend): Promise<void> {
    const path = `/ip_policy_rules/${safe(id)}`;
    const call = { method: 'DELETE', path, successStatus: 204, read: nothing, maySend } as const;
    await this.writeRule(id, call, deadline);
    this.tellOfWrite(id, 'gone');
  }

  /** `GET /edges/tcp/{id}/traffic_policy`; undefined where the service answers that there is none with a 200. */
  async getTcpEdgeTrafficPolicyModule(
    edgeId: string,
    deadline: Deadline,
  ): Promise<TrafficPolicyWire | undefined> {
    const path = trafficPolicyPath(edgeId);
    const read = json(orNone(decodeTcpEdgeTrafficPolicyModule));
    return this.ask({ method: 'GET', path, successStatus: 200, read }, deadline);
  }

  /** `PUT /edges/tcp/{id}/traffic_policy` with all fields. */
  async replaceTcpEdgeTrafficPolicyModule(
    edgeId: string,
    body: RequestBody,
    deadline: Deadline,
  ): Promise<TrafficPolicyWire> {
    const path = trafficPolicyPath(edgeId);
    const read = json(decodeTcpEdgeTrafficPolicyModule);
    return this.ask({ method: 'PUT', path, body, successStatus: 200, read }, deadline);
  }

  /** `DELETE /edges/tcp/{id}/traffic_policy`. */
  async deleteTcpEdgeTrafficPolicyModule(
    edgeId: string,
    deadline: Deadline,
    maySend?: MaySend,
  ): Promise<void> {
    const path = trafficPolicyPath(edgeId);
    return this.ask({ method: 'DELETE', path, successStatus: 204, read: nothing, maySend }, deadline);
  }

  /** `GET /edges/https/{edge_id}/routes/{id}/user_agent_filter`; undefined as with the traffic policy. */
  async getHttpsEdgeRouteUserAgentFilterModule(
    route: HttpsEdgeRouteRef,
    deadline: Deadline,
  ): Promise<UserAgentFilterWire | undefined> {
    const path = userAgentFilterPath(route);
    const read = json(orNone(decodeHttpsEdgeRouteUserAgentFilterModule));
    return this.ask({ method: 'GET', path, successStatus: 200, read }, deadline);
  }

  /** `PUT /edges/https/{edge_id}/routes/{id}/user_agent_filter` with all fields. */
  async replaceHttpsEdgeRouteUserAgentFilterModule(
    route: HttpsEdgeRouteRef,
    body: RequestBody,
    deadline: Deadline,
  ): Promise<UserAgentFilterWire> {
    const path = userAgentFilterPath(route);
    const read = json(decodeHttpsEdgeRouteUserAgentFilterModule);
    return this.ask({ method: 'PUT', path, body, successStatus: 200, read }, deadline);
  }

  /** `DELETE /edges/https/{edge_id}/routes/{id}/user_agent_filter`. */
  async deleteHttpsEdgeRouteUserAgentFilterModule(
    route: HttpsEdgeRouteRef,
    deadline: Deadline,
    maySend?: MaySend,
  ): Promise<void> {
    const path = userAgentFilterPath(route);
    return this.ask({ method: 'DELETE', path, successStatus: 204, read: nothing, maySend }, deadline);
  }

  /** Until when (epoch milliseconds) the service wants no request; undefined outside a rate limit. */
  pausedUntil(): number | undefined {
    return this.parts.limiter.pausedUntil();
  }

  /** Registers a callback for every write to a rule. */
  onRuleWrite(listener: RuleWriteListener): void {
    this.ruleWriteListeners.push(listener);
  }

  /** How many requests may be under way at once. */
  get maxConcurrency(): number {
    return this.settings.maxConcurrency;
  }

  /** What to add to our monotonic time for that of the service, never too much; undefined before its first answer. */
  serverTimeOffsetMs(): number | undefined {
    return this.parts.serverClock.offsetMs;
  }

  /** Ends all operations: what is under way may still be answered, and nothing more is sent. */
  cancel(): void {
    this.cancellation.abort();
    this.parts.limiter.review();
  }

  /** Closes all connections; the client is of no further use. */
  close(): void {
    this.transport.close();
  }

  private ask<T>(call: Call<T>, deadline: Deadline): Promise<T> {
    return new CallRunner(this.parts, call, deadline).run();
  }

  private async writeRule<T>(id: string, call: Call<T>, deadline: Deadline): Promise<T> {
    try {
      return await this.ask(call, deadline);
    } catch (error) {
      this.tellOfWrite(id, 'unsure');
      throw error;
    }
  }

  private tellOfWrite(id: string, written: WrittenRule): void {
    for (const listener of this.ruleWriteListeners) listener(id, written);
  }
}
