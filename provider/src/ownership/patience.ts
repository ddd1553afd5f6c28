import type { Clock } from '../api/clock';

const MOST_WAITING = 4;
const LONGEST_WAIT_MS = 5_000;
const LONGEST_TOTAL_MS = 20_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 1_000;

/** Something is in the way of an operation that may go in this run; nothing has been sent that would have to be undone. */
export class Blocked extends Error {
  override readonly name = 'Blocked';

  /** @param explain What to say if it stays in the way. May ask the service what it is. */
  constructor(readonly explain: () => Promise<unknown>) {
    super('something is in the way');
  }
}

/** What a wait needs to know of the operation that waits. */
export interface Waiting {
  readonly clock: Pick<Clock, 'sleep'>;
  /** Whether the run has been cancelled. */
  readonly isCancelled: () => boolean;
}

/**
 * Lets operations try again for a moment, as what is in their way may be about to go. Few wait at once, and not for long: the
 * engine may have no other worker for what they wait for. Nobody waits with a lock.
 */
export class Patience {
  private waiting = 0;
  private spentMs = 0;

  /** Repeats an attempt while it is blocked. @throws what the last `Blocked` explains. */
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

  /** One operation's share: `pause` answers false where it has to give up. */
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
