import type { ApiClient } from '../api/client';
import type { Deadline } from '../api/clock';
import { isInPolicyOf, type RuleRef, type UnreadableRow } from '../api/decode';
import { AnswerError } from '../api/errors';
import type { ServiceRule } from '../rule/rule';

export class AllRules extends Map<string, ServiceRule> {
  /** Rows that are no rules as the document describes them. */
  readonly unreadable: UnreadableRow[] = [];

  /** Of these policies, or of the account. @throws AnswerError if the list has a row that cannot be read and may be one of them. */
  ofPolicies(ids?: readonly string[]): ServiceRule[] {
    const isSought = (ipPolicyId: string): boolean => ids?.includes(ipPolicyId) !== false;
    const row = this.unreadable.find(({ ipPolicyId }) => ipPolicyId === undefined || isSought(ipPolicyId));
    if (row !== undefined) throw new AnswerError({ ...LIST, status: 200, problem: row.problem });
    return [...this.values()].filter(({ ipPolicyId }) => isSought(ipPolicyId));
  }
}

/** After this many reads of single rules, the next one reads the whole list for all that follow. */
const PLAIN_READS = 20;

/** How long a list counts as current after its latest page. */
const MAX_AGE_MS = 120_000;

const LIST = { method: 'GET', path: '/ip_policy_rules' } as const;

interface SharedList {
  readonly rules: Promise<AllRules>;
  /** The deadlines of the waiting operations. Each page is progress for them. */
  readonly waiting: Deadline[];
  /** The rules that this process has written since the list began. The list may show older content. */
  readonly written: Set<string>;
  /** Infinite before the first page, so that the list counts as new. */
  latestPageAtMs: number;
}

/** The only list of the service, for all operations of a run. `seen` and `whole` share the latest one for two minutes. */
export class AccountRules {
  private reads = 0;
  /** Whether a list for single rules may be read. Once one has failed, it may not, as each rule would try again. */
  private isUsable = true;
  /** The latest list that has begun, unless it failed. */
  private begun: SharedList | undefined;
  private next: SharedList | undefined;
  private latest: Promise<unknown> = Promise.resolve();

  constructor(private readonly client: ApiClient) {
    client.onRuleWrite = (id) => this.begun?.written.add(id);
  }

  /** What a list shows of a rule, if there is a list or reading one is worth its pages. */
  async seen(sought: RuleRef & { readonly deadline: Deadline }): Promise<ServiceRule | undefined> {
    this.reads += 1;
    const { id, deadline } = sought;
    const isWorthIt = this.isUsable && this.reads > PLAIN_READS;
    const list = this.current() ?? (isWorthIt ? this.queued() : undefined);
    // The list may take longer than this read may. Half of the read's time is kept for a request of its own.
    const rules = await (list &&
      deadline
        .half()
        .waitFor(list.rules, LIST)
        .catch(() => undefined));
    const rule = list?.written.has(id) === true ? undefined : rules?.get(id);
    return rule && asListed(sought, rule);
  }

  /** The whole list as it was at most two minutes ago, with what this process has written. */
  async whole(deadline: Deadline): Promise<AllRules> {
    const list = this.current();
    const rules = list?.written.size === 0 ? await waitFor(list, deadline) : undefined;
    return rules && list?.written.size === 0 ? rules : this.anew(deadline);
  }

  /** Begun after this call. Callers that ask meanwhile share the next one: a thousand creates read about a hundred lists. */
  anew(deadline: Deadline): Promise<AllRules> {
    return waitFor(this.queued(), deadline);
  }

  private queued(): SharedList {
    if (this.next !== undefined) return this.next;
    const rules = this.latest.then(() => this.read(list));
    const list: SharedList = { rules, waiting: [], written: new Set(), latestPageAtMs: Infinity };
    this.latest = rules.catch(() => undefined);
    return (this.next = list);
  }

  private async read(list: SharedList): Promise<AllRules> {
    this.next = undefined;
    this.begun = list;
    const rules = new AllRules();
    try {
      for await (const page of this.client.listIpPolicyRules(this.client.startSharedWork())) {
        list.latestPageAtMs = this.client.clock.monotonicMs();
        for (const waiting of list.waiting) waiting.noteProgress();
        for (const rule of page.rules) rules.set(rule.id, rule);
        rules.unreadable.push(...page.unreadable);
      }
    } catch (error) {
      this.begun = undefined;
      this.isUsable = false;
      throw error;
    }
    return rules;
  }

  private current(): SharedList | undefined {
    const ageMs = this.client.clock.monotonicMs() - (this.begun?.latestPageAtMs ?? 0);
    return ageMs > MAX_AGE_MS ? undefined : this.begun;
  }
}

function waitFor(list: SharedList, deadline: Deadline): Promise<AllRules> {
  list.waiting.push(deadline);
  return deadline.waitFor(list.rules, LIST);
}

export function asListed(ref: RuleRef, listed: ServiceRule): ServiceRule {
  if (isInPolicyOf(ref, listed)) return listed;
  const problem = `it shows ${ref.id} in another policy`;
  throw new AnswerError({ ...LIST, status: 200, problem });
}

const lists = new WeakMap<ApiClient, AccountRules>();

/** The rules of a client's account; they live as long as the client, which is one run of the engine. */
export function accountRulesOf(client: ApiClient): AccountRules {
  const rules = lists.get(client) ?? new AccountRules(client);
  lists.set(client, rules);
  return rules;
}
