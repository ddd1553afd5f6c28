// Ownership, 3 of 3: how a call waits: for its turn at an object, for a call that hands something over, or a few seconds.
//
// Premise: another call of this run may be about to delete the object in the way. Rule: no call holds a lock while it waits,
// and no call waits for one that waits itself, so no deadlock arises. This file must not know who owns what.
import type { ApiClient } from '../api/client';
import type { Deadline } from '../api/clock';
import type { EngineCall } from './ownership';

const LONGEST_WAIT_MS = 5_000;
const LONGEST_TOTAL_MS = 60_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 1_000;

/** An object is in the way, and may be deleted later in this run. Nothing has been sent that would have to be undone. */
export class Blocked extends Error {
  override readonly name = 'Blocked';

  /** @param networks The keys of the networks that the operation needs. */
  constructor(
    readonly explain: () => unknown,
    readonly networks: readonly string[] = [],
  ) {
    super('something is in the way');
  }
}

/** A call under way that hands networks over: it leaves them free. */
interface Handover {
  readonly call: EngineCall;
  readonly networks: ReadonlySet<string>;
  readonly ended: Promise<unknown>;
}

export class Waiting {
  private readonly turns = new Map<string, Promise<unknown>>();
  private readonly handovers = new Set<Handover>();
  private spentMs = 0;

  /** Whether work on the object is running or waits for its turn. */
  isBusy(key: string): boolean {
    return this.turns.has(key);
  }

  /** Runs work with the same key in sequence, so that each run sees what the previous one has left. */
  async oneAtATime<T>(key: string, work: () => Promise<T>): Promise<T> {
    const previous = this.turns.get(key) ?? Promise.resolve();
    const current = previous.then(work, work);
    this.turns.set(key, current);
    try {
      return await current;
    } finally {
      if (this.turns.get(key) === current) this.turns.delete(key);
    }
  }

  async untilFree(keys: readonly string[]): Promise<void> {
    await Promise.all(keys.map((key) => this.oneAtATime(key, () => Promise.resolve())));
  }

  async handOverDuring<T>(call: EngineCall, networks: readonly string[], work: () => Promise<T>): Promise<T> {
    const working = work();
    const handover = { call, networks: new Set(networks), ended: working.catch(() => undefined) };
    this.handovers.add(handover);
    try {
      return await working;
    } finally {
      this.handovers.delete(handover);
    }
  }

  /**
   * Retries while blocked. If a call under way hands over what the attempt needs, that call's end is awaited without a limit.
   * Otherwise that call may not have begun: each attempt waits for a few seconds, all together only briefly, as the engine may
   * have no free worker for it. All attempts share one deadline, which restarts after a handover.
   * @throws the error that the last `Blocked` makes.
   */
  async retry<T>(
    client: Pick<ApiClient, 'clock' | 'startOperation'>,
    call: EngineCall,
    attempt: (deadline: Deadline) => Promise<T>,
  ): Promise<T> {
    let deadline = client.startOperation();
    for (let waitedMs = 0; ;) {
      try {
        return await attempt(deadline);
      } catch (error) {
        if (!(error instanceof Blocked)) throw error;
        if (await this.untilHandedOver(call, error.networks)) {
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

  /** Waits until the calls that hand over one of these networks have ended. Returns false if there are none. */
  private async untilHandedOver(call: EngineCall, networks: readonly string[]): Promise<boolean> {
    const awaited = [...this.handovers].filter(
      (other) =>
        other.call !== call &&
        !other.call.isWaiting &&
        networks.some((network) => other.networks.has(network)),
    );
    if (awaited.length === 0) return false;
    call.isWaiting = true;
    await Promise.all(awaited.map(({ ended }) => ended));
    call.isWaiting = false;
    return true;
  }
}
