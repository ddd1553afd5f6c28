import type { ApiClient } from '../api/client';
import type { Deadline } from '../api/deadline';
import type { Owner } from './ownership';

const LONGEST_WAIT_MS = 5_000;
const LONGEST_TOTAL_MS = 60_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 1_000;

/** An object is in the way of an operation, and may be deleted later in this run. Nothing has been sent that would have to be undone. */
export class Blocked extends Error {
  override readonly name = 'Blocked';

  /**
   * @param explain Makes the error to throw if the object stays. May ask the service about it.
   * @param networks The keys of the networks that the operation needs.
   */
  constructor(
    readonly explain: () => unknown,
    readonly networks: readonly string[] = [],
  ) {
    super('something is in the way');
  }
}

/** A call of the engine that is under way and gives something up. */
interface Giver {
  readonly owner: Owner;
  readonly ended: Promise<unknown>;
}

/**
 * Lets operations try again while something is in their way. If a call under way gives it up, they wait until that call has
 * ended: they know for whom they wait, so it needs no limit. Otherwise the call may not have begun yet: then each waits for a
 * few seconds, and all of them together not for long, as the engine may have no free worker for it. None holds a lock while it
 * waits, and none waits for a call that waits itself, so that no circle arises.
 */
export class Patience {
  /** By the keys of the networks that they leave free. */
  private readonly givers = new Map<string, Set<Giver>>();
  private spentMs = 0;

  /** Does the work of a call that gives up these networks. */
  async giveUpDuring<T>(owner: Owner, networks: readonly string[], work: () => Promise<T>): Promise<T> {
    const working = work();
    const giver = { owner, ended: working.catch(() => undefined) };
    for (const network of networks) this.giversOf(network).add(giver);
    try {
      return await working;
    } finally {
      for (const network of networks) this.giversOf(network).delete(giver);
    }
  }

  /**
   * Repeats an attempt while it is blocked. All attempts share one deadline, which begins anew after a wait for another call.
   *
   * @throws the error that the last `Blocked` makes.
   */
  async retry<T>(
    client: Pick<ApiClient, 'clock' | 'startOperation'>,
    owner: Owner,
    attempt: (deadline: Deadline) => Promise<T>,
  ): Promise<T> {
    let deadline = client.startOperation();
    for (let waitedMs = 0; ;) {
      try {
        return await attempt(deadline);
      } catch (error) {
        if (!(error instanceof Blocked)) throw error;
        if (await this.waitForGivers(owner, error.networks)) {
          deadline = client.startOperation();
          continue;
        }
        const isOver = waitedMs >= LONGEST_WAIT_MS || this.spentMs >= LONGEST_TOTAL_MS;
        if (isOver || deadline.isCancelled) throw await error.explain();
        const pauseMs = Math.min(FIRST_PAUSE_MS + waitedMs, LONGEST_PAUSE_MS);
        waitedMs += pauseMs;
        this.spentMs += pauseMs;
        await client.clock.sleep(pauseMs);
      }
    }
  }

  /** Waits until the calls that give up one of these networks have ended. False if there are none. */
  private async waitForGivers(owner: Owner, networks: readonly string[]): Promise<boolean> {
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
