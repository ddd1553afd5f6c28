// What the processes of one run of the engine tell each other. Every explicit provider is a process of its own, and so is each
// host: one may delete what another keeps. Each writes what it keeps to a file of its own, which it only ever appends to, in a
// folder that belongs to the engine's address.

/** Whether live objects may be taken over, and if not, why. */
export type Taking =
  | { readonly outcome: 'taken' }
  /** `declared`: another resource goes on owning it. `busy`: another one is about to change or delete it. */
  | { readonly outcome: 'declared' | 'busy'; readonly key: string };

/** The other processes of the run, as far as ownership is concerned. Keys and ids hold no line breaks. */
export interface OtherProcesses {
  /** Tells that a resource keeps objects that it has had before this run. */
  keep(keys: readonly string[]): void;
  /** For a set: the ids of its rules, one a line. What was told of it before is void. */
  keepSet(set: string, idList: string): void;
  /** Tells that a resource has come to own objects. */
  noteTaken(keys: readonly string[]): void;
  /** Takes back what was told of objects. */
  release(keys: readonly string[]): void;
  /**
   * Tells the same as `noteTaken` of objects that were seen live, unless others keep one of them, are about to delete it, or have
   * ended a delete since the last call: what was seen may be gone by then.
   */
  take(keys: readonly string[]): Taking;
  /** For an object that was seen not to be live: only what others keep, or are about to delete, is in the way. */
  make(key: string): Taking;
  /** Whether another process keeps an object. */
  isKept(key: string): boolean;
  /** Whether another process has come to own it in this run. */
  isTaken(key: string): boolean;
  /** What other processes are deleting or have deleted; of modules also what they have tried to delete. */
  going(): ReadonlySet<string>;
  /** Whether another process has come to own an object in this run, or may still send a delete of it. */
  isClaimed(key: string): boolean;
  /** Tells that an object is about to be deleted; false where another process keeps it. */
  beginDelete(key: string): boolean;
  /** Tells that nothing more is sent to delete it. */
  endDelete(key: string): void;
}

/** For a process that no engine has started. */
export const NO_OTHER_PROCESSES: OtherProcesses = {
  keep: () => undefined,
  keepSet: () => undefined,
  noteTaken: () => undefined,
  release: () => undefined,
  take: () => ({ outcome: 'taken' }),
  make: () => ({ outcome: 'taken' }),
  isKept: () => false,
  isTaken: () => false,
  going: () => new Set(),
  isClaimed: () => false,
  beginDelete: () => true,
  endDelete: () => undefined,
};
