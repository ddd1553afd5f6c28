import type { ApiClient, WrittenRule } from '../api/client';
import { callTimeMs, Deadline } from '../api/deadline';
import { isInPolicyOf, type RulePage, type RuleRef } from '../api/decode';
import { AnswerError } from '../api/errors';
import type { ServiceRule } from '../rule/rule';
import { findRule, type SoughtRule } from './presence';

/** All rules of the account, by their ids. */
export interface WholeList {
  readonly rules: ReadonlyMap<string, ServiceRule>;
  /** How many requests it took. */
  readonly pageCount: number;
}

/** Up to so many rules are read with one request each, as the first page of a list may cost as much. */
const PLAIN_READS = 3;

/** How long a list is considered current after its latest page. */
const MAX_AGE_MS = 120_000;

/** What is shared has the time of the settings, whatever the engine says of the call that begins it. */
const timeOfReading = (client: ApiClient): Deadline => callTimeMs.exit(() => client.startBulkWork());

/** The request that operations wait for. */
const LIST = { method: 'GET', path: '/ip_policy_rules' } as const;

/** A list that is to be read, and the operations that wait for it: once it has begun, each page is their progress. */
interface QueuedList {
  readonly list: Promise<WholeList>;
  readonly waiting: Deadline[];
}

/** One pass over the list, as far as it has been read. */
interface Pass {
  latestPageAtMs: number;
  readonly pages: AsyncIterator<RulePage, unknown>;
  readonly rules: Map<string, ServiceRule>;
  /** The rules that this process has written since the pass began: its pages may be older. */
  readonly written: Set<string>;
  pageCount: number;
  isComplete: boolean;
}

/**
 * The list of the account's rules, which is the only one that the service has, for all operations of a run. `find` and `whole`
 * share its pages for two minutes and mend them by the writes of this process; `anew` is for those that must see what has just
 * happened.
 *
 * Neither the number of reads nor the length of the list is known beforehand. So `find` fetches at most one page per read: with
 * their own requests, N reads never take more than 2 N.
 */
export class AccountRules {
  private readonly deadline: Deadline;
  private pass: Pass | undefined;
  private fetching: Promise<void> | undefined;
  private reads = 0;
  private fetches = 0;
  private isUsable = true;
  /** The latest list that was begun anew. */
  private latest: Promise<unknown> = Promise.resolve();
  /** One that has not begun yet. */
  private next: QueuedList | undefined;

  constructor(private readonly client: ApiClient) {
    this.deadline = timeOfReading(client);
    client.onRuleWrite((id, written) => {
      this.noteWrite(id, written);
    });
  }

  /**
   * The live rule, or `undefined` if the service says that it is gone: one that is not on the list is asked for by its id first.
   * The deadline is for that request.
   */
  async find(sought: Omit<SoughtRule, 'client'>): Promise<ServiceRule | undefined> {
    this.reads += 1;
    const seen = await this.listed(sought);
    if (seen !== undefined) return asListed(sought, seen);
    return findRule({ client: this.client, ...sought });
  }

  /** The whole list, for a resource with many rules; other resources may be reading it already. */
  async whole(deadline: Deadline): Promise<WholeList> {
    while (this.hasMore) {
      await deadline.waitFor(this.nextPage(), LIST);
      deadline.noteProgress();
    }
    const pass = this.current();
    if (pass?.isComplete !== true) return this.anew(deadline);
    return { rules: new Map(pass.rules), pageCount: pass.pageCount };
  }

  /**
   * The whole list, begun after this call. Those who ask while one is being read share the next one, so a thousand creates read
   * about a hundred lists.
   */
  async anew(deadline: Deadline): Promise<WholeList> {
    const { list, waiting } = this.next ?? this.queueList();
    waiting.push(deadline);
    return deadline.waitFor(list, LIST);
  }

  private queueList(): QueuedList {
    const waiting: Deadline[] = [];
    const list = this.latest.then(() => {
      this.next = undefined;
      return this.read(waiting);
    });
    this.latest = list.catch(() => undefined);
    return (this.next = { list, waiting });
  }

  private async read(waiting: readonly Deadline[]): Promise<WholeList> {
    const rules = new Map<string, ServiceRule>();
    let pageCount = 0;
    for await (const page of this.client.listIpPolicyRules(timeOfReading(this.client))) {
      pageCount += 1;
      for (const deadline of waiting) deadline.noteProgress();
      for (const rule of page.rules) rules.set(rule.id, rule);
    }
    return { rules, pageCount };
  }

  /** A write whose outcome is open ends the pass, as neither its pages nor the write say what is live. */
  private noteWrite(id: string, written: WrittenRule): void {
    const { pass } = this;
    if (written === 'unsure') this.pass = undefined;
    else if (written === 'deleted') pass?.rules.delete(id);
    else pass?.rules.set(id, written);
    pass?.written.add(id);
  }

  /** The pass so far, unless it is too old to continue. */
  private current(): Pass | undefined {
    const pass = this.pass;
    if (pass === undefined) return undefined;
    return this.client.clock.monotonicMs() - pass.latestPageAtMs <= MAX_AGE_MS ? pass : undefined;
  }

  /** What the pages and our own writes show of a rule, once no further page is worth its request. */
  private async listed({
    id,
    deadline,
  }: Pick<SoughtRule, 'id' | 'deadline'>): Promise<ServiceRule | undefined> {
    let seen = this.current()?.rules.get(id);
    // The list may be longer than the time of one read: half of that is for a request of its own.
    const half = new Deadline(this.client.clock, deadline.remainingMs() / 2);
    while (seen === undefined && !half.isOver && this.mayList(id) && this.isWorthAPage) {
      await half.waitFor(this.nextPage(), LIST).catch(() => undefined);
      seen = this.current()?.rules.get(id);
    }
    return seen;
  }

  /** One that this process has deleted is on no further page. */
  private mayList(id: string): boolean {
    return this.hasMore && this.current()?.written.has(id) !== true;
  }

  private get hasMore(): boolean {
    return this.isUsable && this.current()?.isComplete !== true;
  }

  /** A page that somebody reads already costs nothing. */
  private get isWorthAPage(): boolean {
    if (this.fetching !== undefined) return true;
    return this.reads > PLAIN_READS && this.fetches < this.reads;
  }

  /** The next page, shared by all that wait for one. */
  private nextPage(): Promise<void> {
    this.fetching ??= this.fetchPage(this.current() ?? this.newPass()).finally(() => {
      this.fetching = undefined;
    });
    return this.fetching;
  }

  private async fetchPage(pass: Pass): Promise<void> {
    this.fetches += 1;
    this.deadline.noteProgress();
    try {
      const next = await pass.pages.next();
      if (next.done === true) return;
      pass.isComplete = next.value.nextPageUri === null;
      pass.pageCount += 1;
      pass.latestPageAtMs = this.client.clock.monotonicMs();
      for (const rule of next.value.rules) if (!pass.written.has(rule.id)) pass.rules.set(rule.id, rule);
    } catch {
      // Each read then asks by id, and gets the failure itself if it persists.
      this.isUsable = false;
    }
  }

  private newPass(): Pass {
    this.pass = {
      latestPageAtMs: this.client.clock.monotonicMs(),
      pages: this.client.listIpPolicyRules(this.deadline)[Symbol.asyncIterator](),
      rules: new Map(),
      written: new Set(),
      pageCount: 0,
      isComplete: false,
    };
    return this.pass;
  }
}

/**
 * A rule of a list that state knows by its id.
 *
 * @throws AnswerError if the list shows it in another policy, as the service then speaks of another rule.
 */
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
