import type { Clock } from '../api/clock';

const MOST_WAITING = 4;
const LONGEST_WAIT_MS = 5_000;
const LONGEST_TOTAL_MS = 20_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 1_000;

/** An object is in the way of an operation, and may be deleted later in this run. Nothing has been sent that would have to be undone. */
export class Blocked extends Error {
  override readonly name = 'Blocked';

  /** @param explain Makes the error to throw if the object stays. May ask the service about it. */
  constructor(readonly explain: () => Promise<unknown>) {
    super('something is in the way');
  }
}

/** The operation that waits. */
export interface Waiting {
  readonly clock: Pick<Clock, 'sleep'>;
  /** Whether the run has been cancelled. */
  readonly isCancelled: () => boolean;
}

/**
 * Lets operations try again for a few seconds, as the object in their way may be about to be deleted. Few wait at once, and not
 * for long: the engine may have no free worker for the delete that they wait for. None holds a lock while it waits.
 */
export class Patience {
  private waiting = 0;
  private spentMs = 0;

  /** Repeats an attempt while it is blocked. @throws the error that the last `Blocked` makes. */
  async retry<T>(by: Waiting, attempt: () => Promise<T>): Promise<T> {
    const turn = this.begin(by);
    try {
      for (;;) {
        try {
          return await attempt();
        } catch (error) {
          if (!(error instanceof Blocked)) throw error;
          if (!(await turn.pause())) throw await error.explain();
        }
      }
    } finally {
      turn.end();
    }
  }

  /** The waits of one operation. `pause` returns false when it has to give up. */
  private begin({ clock, isCancelled }: Waiting): { pause(): Promise<boolean>; end(): void } {
    let isWaiting = false;
    let waitedMs = 0;
    let pauseMs = FIRST_PAUSE_MS;
    return {
      pause: async () => {
        if (!isWaiting && this.waiting >= MOST_WAITING) return false;
        if (waitedMs >= LONGEST_WAIT_MS || this.spentMs >= LONGEST_TOTAL_MS || isCancelled()) return false;
        if (!isWaiting) this.waiting += 1;
        isWaiting = true;
        waitedMs += pauseMs;
        this.spentMs += pauseMs;
        await clock.sleep(pauseMs);
        pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
        return true;
      },
      end: () => {
        if (isWaiting) this.waiting -= 1;
        isWaiting = false;
      },
    };
  }
}
