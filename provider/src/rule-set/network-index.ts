import { compareCidrs, contains, parseCidr, type Cidr } from '../values/cidr';

interface Indexed<T> {
  readonly network: Cidr;
  readonly item: T;
  /** Position of the narrowest entry that contains this one, or -1. */
  readonly parent: number;
}

/**
 * Finds the items whose networks overlap a given one. Two networks are nested or disjoint, so these are the networks around it,
 * found by the chain of parents, and those inside it, which are neighbours in network order.
 */
export class NetworkIndex<T extends { readonly cidr: string }> {
  private readonly entries: readonly Indexed<T>[];

  constructor(items: readonly T[]) {
    const networks = items.flatMap((item) => {
      const network = networkOf(item.cidr);
      return network === undefined ? [] : [{ network, item }];
    });
    networks.sort((a, b) => compareCidrs(a.network, b.network));
    this.entries = withParents(networks);
  }

  /** The items that overlap the network, at most `limit` of them. */
  overlapping(cidr: string, limit = Infinity): T[] {
    const network = networkOf(cidr);
    if (network === undefined) return [];
    const found: T[] = [];
    const start = this.firstNotBefore(network);
    for (let at = start; found.length < limit; at += 1) {
      const entry = this.entries[at];
      if (entry === undefined || !contains(network, entry.network)) break;
      found.push(entry.item);
    }
    for (let at = start - 1; found.length < limit;) {
      const entry = this.entries[at];
      if (entry === undefined) break;
      if (contains(entry.network, network)) found.push(entry.item);
      at = entry.parent;
    }
    return found;
  }

  private firstNotBefore(network: Cidr): number {
    let [low, high] = [0, this.entries.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const entry = this.entries[middle];
      if (entry !== undefined && compareCidrs(entry.network, network) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The entries around an entry are among the previous entry and the entries around that. */
function withParents<T>(sorted: readonly { network: Cidr; item: T }[]): readonly Indexed<T>[] {
  const entries: Indexed<T>[] = [];
  for (const { network, item } of sorted) {
    let parent = entries.length - 1;
    let around = entries[parent];
    while (around !== undefined && !contains(around.network, network)) {
      parent = around.parent;
      around = entries[parent];
    }
    entries.push({ network, item, parent });
  }
  return entries;
}

// A live rule may hold a text that is not a network, and then it is unknown what it overlaps.
function networkOf(text: string): Cidr | undefined {
  const parsed = parseCidr(text);
  return parsed.ok ? parsed.cidr : undefined;
}
