import type { Clock } from '../api/clock';
import type { GivenUp } from './given-up';
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
    readonly explain: () => Promise<unknown>,
    readonly networks: readonly string[] = [],
  ) {
    super('something is in the way');
  }
}

/** The operation that waits. */
export interface Waiting {
  readonly owner: Owner;
  readonly clock: Pick<Clock, 'sleep'>;
  /** Whether the run has been cancelled. */
  readonly isCancelled: () => boolean;
}

/**
 * Lets operations try again while something is in their way. If a call under way gives it up, they wait until that call has
 * ended. Otherwise the call may not have begun yet: then each waits for a few seconds, and all of them together not for long, as
 * the engine may have no free worker for it. None holds a lock while it waits.
 */
export class Patience {
  private spentMs = 0;

  constructor(private readonly givenUp: GivenUp) {}

  /** Repeats an attempt while it is blocked. @throws the error that the last `Blocked` makes. */
  async retry<T>({ owner, clock, isCancelled }: Waiting, attempt: () => Promise<T>): Promise<T> {
    for (let waitedMs = 0; ;) {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof Blocked)) throw error;
        if (await this.givenUp.wait(owner, error.networks)) continue;
        if (waitedMs >= LONGEST_WAIT_MS || this.spentMs >= LONGEST_TOTAL_MS || isCancelled())
          throw await error.explain();
        const pauseMs = Math.min(FIRST_PAUSE_MS + waitedMs, LONGEST_PAUSE_MS);
        waitedMs += pauseMs;
        this.spentMs += pauseMs;
        await clock.sleep(pauseMs);
      }
    }
  }
}
