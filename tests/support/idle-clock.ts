import { VirtualClock } from './virtual-clock';

/** If nothing happens for so long in real time, nothing is expected any more: loopback answers take a fraction of it. */
const IDLE_MS = 5;
/** Turns of the event loop in which everything on its way through a socket of this process arrives, even 1 MB. */
const TURNS = 100;

/**
 * The virtual clock of tests over real sockets, which cannot move it themselves: nothing in the process shows when an answer on
 * its way has arrived. Its time stands still while anything happens, and leaps as soon as nothing does. Minutes of waiting take
 * milliseconds, and no request times out because the machine is busy.
 */
export class IdleClock extends VirtualClock {
  private changes = 0;
  private isWatching = false;

  override after(delayMs: number, act: () => void, isImpatient = false): () => void {
    this.changes += 1;
    const cancel = super.after(delayMs, act, isImpatient);
    void this.watch();
    return () => {
      this.changes += 1;
      cancel();
    };
  }

  /** A wait that nothing can cut short ends at once, unless another ends earlier. */
  private async watch(): Promise<void> {
    if (this.isWatching) return;
    this.isWatching = true;
    while (this.pending > 0) {
      const before = this.changes;
      if (this.earliest?.isImpatient === true) await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
      // On a busy machine, a late timer fires before the answers that have arrived in the meantime are read.
      for (let turn = 0; turn < TURNS; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      if (before === this.changes) this.leap();
    }
    this.isWatching = false;
  }
}
