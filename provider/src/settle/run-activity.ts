import type { Clock } from '../api/clock';

/** Registrations that belong together arrive within this time of each other. */
export const REGISTRATION_GAP_MS = 100;
const MOST_REGISTRATION_GAPS = 10;

/** A run in which nothing happens for so long waits for itself: the engine has no free worker, or begins nothing more. */
const IDLE_MS = 2_000;

/** What goes on in one run of the engine, for those that wait for others: see `holdings.ts`. */
export class RunActivity {
  private readonly listeners = new Set<() => void>();
  private checks = 0;
  /** How many checks there were a gap ago, when somebody last waited for more. */
  private settledChecks = 0;
  private running = 0;
  private events = 0;
  private operations = 0;
  private failed = false;

  /** Notes that the engine shows the program: from now on diffs are about what it declares. */
  noteCheck(): void {
    this.checks += 1;
    this.events += 1;
  }

  /** Whether the engine has shown anything of the program. */
  get showsProgram(): boolean {
    return this.checks > 0;
  }

  /** How many operations have begun. */
  get begun(): number {
    return this.operations;
  }

  /** Whether an operation works beside the one that asks. */
  get isAnyOtherRunning(): boolean {
    return this.running > 1;
  }

  /** Whether an operation has failed. */
  get hasFailed(): boolean {
    return this.failed;
  }

  /** Waits until the registrations that arrive together have been seen. */
  async settleRegistrations(clock: Clock): Promise<void> {
    for (let gap = 0; gap < MOST_REGISTRATION_GAPS; gap += 1) {
      const before = this.checks;
      if (before === this.settledChecks) return;
      await clock.sleep(REGISTRATION_GAP_MS);
      this.settledChecks = before;
    }
  }

  /** Notes that an operation fails, before its end: whoever waits for a successor is not to go first any more. */
  noteFailure(): void {
    this.failed = true;
    this.tell();
  }

  /** Runs an operation of a resource, so that one that waits for others knows whether anything goes on. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.operations += 1;
    this.running += 1;
    this.events += 1;
    try {
      return await work();
    } catch (error) {
      this.failed = true;
      throw error;
    } finally {
      this.running -= 1;
      this.tell();
    }
  }

  /** Runs the part of an operation in which it only waits for others. */
  async waiting<T>(work: () => Promise<T>): Promise<T> {
    this.running -= 1;
    try {
      return await work();
    } finally {
      this.running += 1;
      this.tell();
    }
  }

  /** Waits until this is so, or until the run waits for itself. */
  async until(isSo: () => boolean, clock: Clock): Promise<void> {
    while (!isSo()) {
      const eventsBefore = this.events;
      await this.nextEvent(clock);
      // The first of several that wait for each other goes on, which is an event for the others.
      if (this.events === eventsBefore && this.running <= 0) return;
    }
  }

  /** Waits for the next thing that happens, but not forever. */
  private async nextEvent(clock: Clock): Promise<void> {
    const happened = new AbortController();
    const listener = (): void => {
      happened.abort(somethingHappened);
    };
    this.listeners.add(listener);
    try {
      await clock.sleep(IDLE_MS, happened.signal);
    } catch {
      // Something happened: the sleep was only stopped.
    } finally {
      this.listeners.delete(listener);
    }
  }

  /** Tells those that wait that something has happened. */
  tell(): void {
    this.events += 1;
    for (const listener of [...this.listeners]) listener();
  }
}

// One reason for all: an error for each costs more than the sleep that it ends.
const somethingHappened = new Error('something happened');
