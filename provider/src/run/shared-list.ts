import type { ApiClient, WrittenRule } from '../api/client';
import type { Deadline } from '../api/deadline';
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

/** Reads the list from its first page to its last. */
export async function readWholeList(
  client: Pick<ApiClient, 'listIpPolicyRules'>,
  deadline: Deadline,
): Promise<WholeList> {
  const rules = new Map<string, ServiceRule>();
  let pageCount = 0;
  for await (const page of client.listIpPolicyRules(deadline)) {
    pageCount += 1;
    for (const rule of page.rules) rules.set(rule.id, rule);
  }
  return { rules, pageCount };
}

/**
 * A rule of a list that state knows by its id.
 *
 * @throws AnswerError if the list shows it in another policy, as the service then speaks of another rule.
 */
export function asListed(ref: RuleRef, listed: ServiceRule): ServiceRule {
  if (isInPolicyOf(ref, listed)) return listed;
  const problem = `it shows ${ref.id} in another policy`;
  throw new AnswerError({ method: 'GET', path: '/ip_policy_rules', status: 200, problem });
}

/** Up to so many rules are refreshed with one request each, as the first page of a list may cost as much. */
const PLAIN_READS = 3;

/** How long a list is considered current after its latest page. */
const MAX_AGE_MS = 120_000;

/** One pass over the list, as far as it has been read. */
interface Pass {
  latestPageAtMs: number;
  readonly pages: AsyncIterator<RulePage, unknown>;
  readonly rules: Map<string, ServiceRule>;
  /** What our own writes have shown since the pass began, which is newer than its pages. */
  readonly written: Map<string, WrittenRule>;
  pageCount: number;
  isComplete: boolean;
}

/**
 * Reads single rules through the pages of the list, which many reads of one refresh share. Neither the number of reads nor the
 * length of the list is known beforehand. So a page is fetched only while all requests so far, and one for each read that still
 * waits, are at most two per read. N reads never take more than 2 N requests; if the account holds little else than the rules
 * that are read, they take one request per page.
 *
 * A rule that is not on the list is asked for by its id before it counts as gone. Writes of this process update a pass, so none
 * has to start over because of them; a pass only ends by age.
 */
export class SharedList {
  private readonly deadline: Deadline;
  private pass: Pass | undefined;
  private fetching: Promise<void> | undefined;
  private reads = 0;
  private waiting = 0;
  private requests = 0;
  private wholeReads = 0;
  private isUsable = true;

  constructor(private readonly client: ApiClient) {
    this.deadline = client.startOperation();
    client.onRuleWrite((id, written) => this.pass?.written.set(id, written));
  }

  /** The live rule, or `undefined` if the service says that it is gone. The deadline is for a request of its own. */
  async find(sought: Omit<SoughtRule, 'client'>): Promise<ServiceRule | undefined> {
    const { id, deadline } = sought;
    this.reads += 1;
    const seen = await this.listed(id);
    if (isRule(seen)) return asListed(sought, seen);
    // Reading the list may have taken longer than one operation may.
    deadline.renew();
    return findRule({ client: this.client, ...sought });
  }

  /** The whole list, for a resource with many rules; other resources may be reading it already. */
  async whole(deadline: Deadline): Promise<WholeList> {
    this.wholeReads += 1;
    while (this.hasMore) await this.nextPage();
    this.wholeReads -= 1;
    deadline.renew();
    const pass = this.current();
    return pass?.isComplete === true ? this.mended(pass, deadline) : readWholeList(this.client, deadline);
  }

  private async mended({ rules, written, pageCount }: Pass, deadline: Deadline): Promise<WholeList> {
    const mended = new Map(rules);
    const mend = async (id: string, known: WrittenRule): Promise<void> => {
      const sought = { client: this.client, id, deadline, createdAt: rules.get(id)?.createdAt };
      const live = known === 'unsure' ? await findRule(sought) : known;
      if (isRule(live)) mended.set(id, live);
      else mended.delete(id);
    };
    await Promise.all([...written].map(([id, known]) => mend(id, known)));
    return { rules: mended, pageCount };
  }

  /** The pass so far, unless it is too old to continue. */
  private current(): Pass | undefined {
    const pass = this.pass;
    if (pass === undefined) return undefined;
    return this.client.clock.monotonicMs() - pass.latestPageAtMs <= MAX_AGE_MS ? pass : undefined;
  }

  /** What the pass and our own writes show of a rule. */
  private seen(id: string): WrittenRule | undefined {
    const pass = this.current();
    return pass?.written.get(id) ?? pass?.rules.get(id);
  }

  /** Waits for the page with the rule; `undefined` if no page is worth waiting for. */
  private async listed(id: string): Promise<WrittenRule | undefined> {
    this.waiting += 1;
    let seen = this.seen(id);
    while (seen === undefined && this.hasMore && this.isWorthAPage) {
      await this.nextPage();
      seen = this.seen(id);
    }
    this.waiting -= 1;
    // Counts the request by id that follows, so that the others include it in their decision at once.
    if (!isRule(seen)) this.requests += 1;
    return seen;
  }

  private get hasMore(): boolean {
    return this.isUsable && this.current()?.isComplete !== true;
  }

  private get isWorthAPage(): boolean {
    if (this.wholeReads > 0) return true;
    return this.reads > PLAIN_READS && this.requests + 1 + this.waiting <= 2 * this.reads;
  }

  /** The next page, shared by all that wait for one. */
  private nextPage(): Promise<void> {
    this.fetching ??= this.fetchPage(this.current() ?? this.newPass()).finally(() => {
      this.fetching = undefined;
    });
    return this.fetching;
  }

  private async fetchPage(pass: Pass): Promise<void> {
    this.requests += 1;
    this.deadline.renew();
    try {
      const next = await pass.pages.next();
      if (next.done === true) return;
      pass.isComplete = next.value.nextPageUri === null;
      pass.pageCount += 1;
      pass.latestPageAtMs = this.client.clock.monotonicMs();
      for (const rule of next.value.rules) pass.rules.set(rule.id, rule);
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
      written: new Map(),
      pageCount: 0,
      isComplete: false,
    };
    return this.pass;
  }
}

const isRule = (written: WrittenRule | undefined): written is ServiceRule => typeof written === 'object';

const lists = new WeakMap<ApiClient, SharedList>();

/** The shared list of an account's client; it lives as long as the client, which is one run of the engine. */
export function sharedListOf(client: ApiClient): SharedList {
  const list = lists.get(client) ?? new SharedList(client);
  lists.set(client, list);
  return list;
}
