import { LONGEST_LAG_MS } from '../switches';
import type { Rule } from './stored-rule';

export interface PageRequest {
  readonly afterId?: string | undefined;
  readonly limit: number;
  /** The number of rules that the page leaves out at its beginning. */
  readonly offset: number;
  readonly isNewestFirst: boolean;
  /** @param deletedAtMs When the rule was deleted, if it was. */
  readonly isVisible: (rule: Rule, deletedAtMs?: number) => boolean;
}

export interface Page {
  readonly rules: readonly Rule[];
  readonly hasMore: boolean;
}

/** The rules of an account, in creation order, with an index that finds a duplicate network in constant time. */
export class RuleStore {
  private readonly rules = new Map<string, Rule>();
  /** How many rules each policy has, and how many of each network in it. */
  private readonly counts = new Map<string, number>();
  /** The identifiers in creation order. Those of deleted rules stay, so that a page can be continued after one. */
  private readonly order: string[] = [];
  private readonly positions = new Map<string, number>();
  private readonly deleted = new Map<string, { readonly rule: Rule; readonly atMs: number }>();

  get(id: string): Rule | undefined {
    return this.rules.get(id);
  }

  all(): IterableIterator<Rule> {
    return this.rules.values();
  }

  put(rule: Rule): void {
    const previous = this.rules.get(rule.id);
    if (previous !== undefined) this.count(previous, -1);
    else this.positions.set(rule.id, this.order.push(rule.id) - 1);
    this.rules.set(rule.id, rule);
    this.deleted.delete(rule.id);
    this.count(rule, 1);
  }

  delete(id: string, atMs: number): void {
    const rule = this.rules.get(id);
    if (rule === undefined) return;
    this.count(rule, -1);
    this.rules.delete(id);
    for (const [each, { atMs: deletedAtMs }] of this.deleted)
      if (deletedAtMs < atMs - LONGEST_LAG_MS) this.deleted.delete(each);
    this.deleted.set(id, { rule, atMs });
  }

  /** Whether another rule of the policy than `exceptId` has the network. */
  hasNetwork(policyId: string, network: string, exceptId?: string): boolean {
    const count = this.counts.get(networkKey(policyId, network)) ?? 0;
    const excepted = exceptId === undefined ? undefined : this.rules.get(exceptId);
    const isOwn = excepted?.policyId === policyId && excepted.network === network;
    return count > (isOwn ? 1 : 0);
  }

  countOfPolicy(policyId: string): number {
    return this.counts.get(policyId) ?? 0;
  }

  knowsCursor(id: string): boolean {
    return this.positions.has(id);
  }

  page({ afterId, limit, offset, isNewestFirst, isVisible }: PageRequest): Page {
    const step = isNewestFirst ? -1 : 1;
    const beforeFirst = isNewestFirst ? this.order.length : -1;
    const after = afterId === undefined ? beforeFirst : (this.positions.get(afterId) ?? beforeFirst);
    const rules: Rule[] = [];
    let skipped = 0;
    for (let index = after + step; index >= 0 && index < this.order.length; index += step) {
      const id = this.order[index] ?? '';
      const deleted = this.deleted.get(id);
      const rule = this.rules.get(id) ?? deleted?.rule;
      // Created anew with an identifier of its past, a rule is at its last position only.
      if (rule === undefined || this.positions.get(id) !== index || !isVisible(rule, deleted?.atMs)) continue;
      if (skipped < offset) {
        skipped += 1;
        continue;
      }
      if (rules.length === limit) return { rules, hasMore: true };
      rules.push(rule);
    }
    return { rules, hasMore: false };
  }

  private count(rule: Rule, by: 1 | -1): void {
    for (const key of [rule.policyId, networkKey(rule.policyId, rule.network)]) {
      this.counts.set(key, (this.counts.get(key) ?? 0) + by);
    }
  }
}

const networkKey = (policyId: string, network: string): string => `${policyId} ${network}`;
