// What for: the operations of the service: requests, retries, rate limits, paging, strict decoding, clean errors.
// Must not know: Pulumi, `resources`, `errors`, or what a caller makes of an answer.
import type { RequestBody } from '../fields/bodies';
import { createBody, type PolicyRule, type RuleChange, type ServiceRule } from '../rule/rule';
import { safe } from './base-url';
import type { Call, IsStillDue } from './call';
import { Connection } from './connection';
import type { Deadline } from './deadline';
import { decodeIpPolicyRuleList, orNone, ruleLike, type RulePage, type RuleRef, sameRule } from './decode';
import { RequestError } from './errors';
import { pages } from './paging';
import { json, nothing } from './read-answer';
import { LONGEST_PAGE_BYTES } from './transport';

export type { ClientSettings } from './client-settings';

/** The three requests about one module (sections 4.2 and 4.3). */
export interface ModuleEndpoint<Live> {
  /** `GET`; undefined if the service answers 200 and says that there is none. */
  get(deadline: Deadline): Promise<Live | undefined>;
  /** `PUT` with all fields. */
  replace(body: RequestBody, deadline: Deadline): Promise<Live>;
  delete(deadline: Deadline, isStillDue?: IsStillDue): Promise<void>;
}

/** The path of a module, and how its answers are read. */
export interface ModuleAddress<Live> {
  readonly path: string;
  readonly decode: (value: unknown) => Live;
}

/**
 * The service (section 4): methods for rules, and the same three requests for every module. Every request takes a deadline,
 * repeats what may be repeated, and throws one of the errors of errors.ts. One client serves a process and account.
 */
export class ApiClient extends Connection {
  /** Called for each write to a rule, as soon as its outcome is known or has failed. */
  onRuleWrite: (id: string) => void = () => undefined;

  /**
   * `POST /ip_policy_rules`. After an ambiguous failure it is not repeated: the caller must look the rule up.
   *
   * @param attempts.onSend Called when each leaves: a rule that is older cannot be the result of a lost answer.
   */
  async createIpPolicyRule(
    rule: PolicyRule,
    deadline: Deadline,
    attempts: Pick<Call<ServiceRule>, 'onSend' | 'isOnNewConnection'> = {},
  ): Promise<ServiceRule> {
    const body = createBody(rule);
    const call = { method: 'POST', path: '/ip_policy_rules', body, successStatus: 201 } as const;
    const created = await this.ask({ ...call, read: json(ruleLike(rule)), ...attempts }, deadline);
    this.onRuleWrite(created.id);
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
    for await (const page of pages(this.baseUrl, fetchPage)) {
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
}
