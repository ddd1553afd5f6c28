import type { Owner } from './ownership';

/** A call of the engine that is under way and gives something up. */
interface Giver {
  readonly owner: Owner;
  readonly ended: Promise<unknown>;
}

/**
 * What the calls under way give up, by keys of the networks that this leaves free. A call that needs one of them waits until
 * they have ended: it knows for whom it waits, so it needs no limit. It does not wait for a call that waits itself, so that no
 * circle arises.
 */
export class GivenUp {
  private readonly givers = new Map<string, Set<Giver>>();

  /** Does the work of a call that gives up these networks. */
  async during<T>(owner: Owner, networks: readonly string[], work: () => Promise<T>): Promise<T> {
    const working = work();
    const giver = { owner, ended: working.catch(() => undefined) };
    for (const network of networks) this.giversOf(network).add(giver);
    try {
      return await working;
    } finally {
      for (const network of networks) this.giversOf(network).delete(giver);
    }
  }

  /** Waits until the calls that give up one of these networks have ended. False if there are none. */
  async wait(owner: Owner, networks: readonly string[]): Promise<boolean> {
    const givers = networks.flatMap((network) => [...this.giversOf(network)]);
    const awaited = givers.filter((giver) => giver.owner !== owner && !giver.owner.isWaiting);
    if (awaited.length === 0) return false;
    owner.isWaiting = true;
    await Promise.all(awaited.map(({ ended }) => ended));
    owner.isWaiting = false;
    return true;
  }

  private giversOf(network: string): Set<Giver> {
    const givers = this.givers.get(network) ?? new Set();
    this.givers.set(network, givers);
    return givers;
  }
}
