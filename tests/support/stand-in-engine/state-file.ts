import type { Entry, PendingOperation, State } from './entry';

/** The state while a run works on it: written after each step, new entries first, as the engine's snapshots are. */
export class StateFile {
  private readonly news: Entry[] = [];
  private readonly operations: PendingOperation[] = [];
  private isClosed = false;

  /** @param write Receives every version of the state. */
  constructor(
    private readonly base: Entry[],
    private readonly carried: readonly PendingOperation[],
    private readonly write: (state: State) => void,
  ) {
    this.flush();
  }

  /** The entries of the earlier state that this run has not touched yet. */
  get untouched(): readonly Entry[] {
    return this.base;
  }

  begin(operation: PendingOperation): PendingOperation {
    this.operations.push(operation);
    this.flush();
    return operation;
  }

  end(operation: PendingOperation): void {
    this.operations.splice(this.operations.indexOf(operation), 1);
    this.flush();
  }

  /** Replaces an old entry by a new one; without either, adds or removes. */
  put(old: Entry | undefined, now: Entry | undefined): void {
    const index = old === undefined ? -1 : this.base.indexOf(old);
    if (index >= 0) this.base.splice(index, 1);
    if (now !== undefined) this.news.push(now);
    this.flush();
  }

  /** Adds what an import has read: the run goes on as if it had been there before. */
  add(entry: Entry): void {
    this.base.push(entry);
    this.flush();
  }

  /** Changes an old entry in its place. */
  mark(old: Entry, now: Entry): void {
    const index = this.base.indexOf(old);
    if (index >= 0) this.base[index] = now;
    this.flush();
  }

  /** The process is gone: later answers reach no state. */
  close(): void {
    this.isClosed = true;
  }

  private flush(): void {
    if (this.isClosed) return;
    this.write({
      entries: [...this.news, ...this.base],
      pending: [...this.operations, ...this.carried],
    });
  }
}
