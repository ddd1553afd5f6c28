// What the processes of one run of the engine tell each other. Every explicit provider is a process of its own, and so is each
// host: one may delete what a resource of another owns. Each process appends what it owns to a file of its own, in a folder
// named after the engine's port.

/** Whether live objects may be taken over, and if not, why. */
export type Taking =
  | { readonly outcome: 'taken' }
  /** `declared`: another resource still owns it. `busy`: another one is about to change or delete it. */
  | { readonly outcome: 'declared' | 'busy'; readonly key: string };

/** What the other processes of the run own, and what they are told. Keys and ids hold no line breaks. */
export interface OtherProcesses {
  /** Tells that a resource still owns objects that it owned before this run. */
  own(keys: readonly string[]): void;
  /** `own` for a set, by the ids of its rules, one a line. Replaces what was told of the set before. */
  ownSet(set: string, idList: string): void;
  /** Tells that a resource now owns objects that it has created or taken over. */
  noteTaken(keys: readonly string[]): void;
  /** Tells that no resource of this process owns these objects any more. */
  release(keys: readonly string[]): void;
  /**
   * `noteTaken` for objects that were seen live, unless another process owns one of them, is about to delete it, or has ended
   * a delete of it since the last call: the object may be gone by now.
   */
  take(keys: readonly string[]): Taking;
  /** `noteTaken` for an object that is not live, unless another process owns it or is about to delete it. */
  make(key: string): Taking;
  /** Whether another process owns an object. */
  isOwned(key: string): boolean;
  /** Whether another process has created or taken over an object in this run. */
  isNewlyOwned(key: string): boolean;
  /** The objects that other processes are deleting or have deleted, and the modules whose delete they have ended. */
  deleting(): ReadonlySet<string>;
  /** Whether another process has created or taken over an object in this run, or may still send a delete of it. */
  isClaimed(key: string): boolean;
  /** Tells that an object is about to be deleted. False if another process owns it, which forbids the delete. */
  beginDelete(key: string): boolean;
  /** Tells that no further request to delete it will be sent. */
  endDelete(key: string): void;
}

/** For a process that was not started by an engine: there are no others. */
export const NO_OTHER_PROCESSES: OtherProcesses = {
  own: () => undefined,
  ownSet: () => undefined,
  noteTaken: () => undefined,
  release: () => undefined,
  take: () => ({ outcome: 'taken' }),
  make: () => ({ outcome: 'taken' }),
  isOwned: () => false,
  isNewlyOwned: () => false,
  deleting: () => new Set(),
  isClaimed: () => false,
  beginDelete: () => true,
  endDelete: () => undefined,
};
