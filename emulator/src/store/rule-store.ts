import type { Rule } from './changes';

export interface PageRequest {
  /** The page begins after this rule, in the list's order. */
  readonly afterId?: string | undefined;
  readonly limit: number;
  readonly isNewestFirst: boolean;
  readonly isVisible: (rule: Rule) => boolean;
}

export interface Page {
  readonly rules: readonly Rule[];
  readonly hasMore: boolean;
}

/** The rules of an account, in creation order, with an index that finds a duplicate network in constant time. */
export class RuleStore {
  private readonly rules = new Map<string, Rule>();
  private readonly networkCounts = new Map<string, number>();
  private readonly policyCounts = new Map<string, number>();
  /** Includes deleted rules, so that a page can be continued after a rule that is gone. */
  private readonly sequences = new Map<string, number>();
  /** Identifiers by sequence; those of deleted rules stay until half of them are gone. */
  private order: string[] = [];
  private nextSequenceNumber = 1;

  get size(): number {
    return this.rules.size;
  }

  get nextSequence(): number {
    return this.nextSequenceNumber;
  }

  get(id: string): Rule | undefined {
    return this.rules.get(id);
  }

  all(): IterableIterator<Rule> {
    return this.rules.values();
  }

  put(rule: Rule): void {
    const previous = this.rules.get(rule.id);
    if (previous !== undefined) this.count(previous, -1);
    else this.append(rule);
    this.rules.set(rule.id, rule);
    this.count(rule, 1);
  }

  delete(id: string): void {
    const rule = this.rules.get(id);
    if (rule === undefined) return;
    this.count(rule, -1);
    this.rules.delete(id);
    if (this.order.length > 1000 && this.order.length > 2 * this.rules.size) {
      this.order = this.order.filter((candidate) => this.rules.has(candidate));
    }
  }

  /** Whether another rule of the policy than `exceptId` has the network. */
  hasNetwork(policyId: string, network: string, exceptId?: string): boolean {
    const count = this.networkCounts.get(networkKey(policyId, network)) ?? 0;
    const own = exceptId === undefined ? undefined : this.rules.get(exceptId);
    const isOwn = own?.policyId === policyId && own.network === network;
    return count > (isOwn ? 1 : 0);
  }

  countOfPolicy(policyId: string): number {
    return this.policyCounts.get(policyId) ?? 0;
  }

  knowsCursor(id: string): boolean {
    return this.sequences.has(id);
  }

  page(request: PageRequest): Page {
    const step = request.isNewestFirst ? -1 : 1;
    const rules: Rule[] = [];
    for (let index = this.startOfPage(request); index >= 0 && index < this.order.length; index += step) {
      const rule = this.rules.get(this.order[index] ?? '');
      if (rule === undefined || !request.isVisible(rule)) continue;
      if (rules.length === request.limit) return { rules, hasMore: true };
      rules.push(rule);
    }
    return { rules, hasMore: false };
  }

  private startOfPage({ afterId, isNewestFirst }: PageRequest): number {
    if (afterId === undefined) return isNewestFirst ? this.order.length - 1 : 0;
    const sequence = this.sequences.get(afterId) ?? 0;
    return isNewestFirst ? this.firstIndexFrom(sequence) - 1 : this.firstIndexFrom(sequence + 1);
  }

  /** Binary search for the first entry whose sequence is not below the given one. */
  private firstIndexFrom(sequence: number): number {
    let low = 0;
    let high = this.order.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.sequences.get(this.order[middle] ?? '') ?? 0) < sequence) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private append(rule: Rule): void {
    this.order.push(rule.id);
    this.sequences.set(rule.id, rule.sequence);
    this.nextSequenceNumber = Math.max(this.nextSequenceNumber, rule.sequence + 1);
  }

  private count(rule: Rule, by: 1 | -1): void {
    add(this.networkCounts, networkKey(rule.policyId, rule.network), by);
    add(this.policyCounts, rule.policyId, by);
  }
}

const networkKey = (policyId: string, network: string): string => `${policyId} ${network}`;

function add(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
