// What the processes of one run of the engine tell each other. Every explicit provider is a process of its own, and so is each
// host: one may delete what a resource of another owns. A process that deletes or takes an object tells so before it reads what
// the others have told. If two processes see each other, both give way, and the one that takes tries again. No lock is needed.
import { isRuleKey } from './object-key';

/**
 * What a process tells of an object; its last word counts. `own`: a resource owns what it owned before this run. `take`: one has
 * created it or taken it over. `release`: none owns it any more. `delete`: it is about to be deleted. `end`: no further request
 * to delete it will be sent. `fail`: the same, but one that was sent may have its effect yet.
 */
export type Tell = 'own' | 'take' | 'release' | 'delete' | 'end' | 'fail';

/** How a process reaches the others of its run. Both methods throw a UserError if they fail. */
export interface Channel {
  tell(tell: Tell, keys: readonly string[]): void;
  /** The last word of each other process on each object. */
  heard(): readonly Map<string, Tell>[];
  /** Why no process of the run can reach another one. */
  readonly problem?: Error;
}

/** Whether live objects may be taken over, and if not, why. */
export type Taking =
  | { readonly outcome: 'taken' }
  /** `declared`: another resource still owns it. `busy`: another one is about to change or delete it. */
  | { readonly outcome: 'declared' | 'busy'; readonly key: string };

/** What the other processes of the run own, and what they are told. */
export class OtherProcesses {
  constructor(private readonly channel: Channel = { tell: () => undefined, heard: () => [] }) {}

  /** Tells that a resource still owns objects that it owned before this run. */
  own(keys: readonly string[]): void {
    this.channel.tell('own', keys);
  }

  /** Tells that a resource now owns objects that it has created. */
  noteTaken(keys: readonly string[]): void {
    this.tellAfterwards('take', keys);
  }

  /** Tells that no resource of this process owns these objects any more. */
  release(keys: readonly string[]): void {
    this.tellAfterwards('release', keys);
  }

  /**
   * Tells that a resource takes over objects that were seen live, unless another process owns one of them, is about to delete it, or
   * has ended a delete of it since the last call: the object may be gone by now.
   *
   * @throws UserError if the others cannot be reached.
   */
  take(keys: readonly string[]): Taking {
    this.requireReach();
    return this.claim(keys, ['delete', 'end', 'fail']);
  }

  /** `take` for an object that is not live, unless another process owns it or is about to delete it. */
  make(key: string): Taking {
    return this.claim([key], ['delete', 'fail']);
  }

  private claim(keys: readonly string[], busy: readonly Tell[]): Taking {
    this.channel.tell('take', keys);
    for (const key of keys) {
      const isOwned = this.isOwned(key);
      if (!isOwned && !this.isSaid(busy, key)) continue;
      // It was seen before the delete ended. After another look it may be taken.
      for (const words of this.channel.heard()) if (words.get(key) === 'end') words.delete(key);
      this.channel.tell('release', keys);
      return { outcome: isOwned ? 'declared' : 'busy', key };
    }
    return { outcome: 'taken' };
  }

  /** Whether another process owns an object. */
  isOwned(key: string): boolean {
    return this.isSaid(['own', 'take'], key);
  }

  /** Whether another process has created or taken over an object in this run. */
  isNewlyOwned(key: string): boolean {
    return this.isSaid(['take'], key);
  }

  /** Whether another process has created or taken over an object in this run, or may still send a delete of it. */
  isClaimed(key: string): boolean {
    return this.isSaid(['take', 'delete', 'fail'], key);
  }

  /** The objects that other processes are deleting or have deleted, and the modules whose delete they have ended. */
  deleting(): ReadonlySet<string> {
    // A successful delete of a rule never ends: the rule stays in `delete`. One that has ended was not carried out.
    const isGoing = (key: string, word: Tell): boolean =>
      word === 'delete' || (word === 'end' && !isRuleKey(key));
    const all = this.channel.heard().flatMap((words) => [...words]);
    return new Set(all.filter(([key, word]) => isGoing(key, word)).map(([key]) => key));
  }

  /**
   * Tells that an object is about to be deleted. False if another process owns it, which forbids the delete.
   *
   * @throws UserError if the others cannot be reached.
   */
  beginDelete(key: string): boolean {
    this.requireReach();
    this.channel.tell('delete', [key]);
    if (!this.isOwned(key)) return true;
    this.channel.tell('end', [key]);
    return false;
  }

  /** Tells that no further request to delete it will be sent. */
  endDelete(key: string): void {
    this.tellAfterwards('end', [key]);
  }

  /** Tells that a delete has failed. */
  failDelete(key: string): void {
    this.tellAfterwards('fail', [key]);
  }

  private isSaid(words: readonly Tell[], key: string): boolean {
    return this.channel.heard().some((said) => words.includes(said.get(key) ?? 'release'));
  }

  private requireReach(): void {
    if (this.channel.problem !== undefined) throw this.channel.problem;
  }

  /** The request has been sent, so the operation must not fail any more. The next one does, if the channel stays broken. */
  private tellAfterwards(tell: Tell, keys: readonly string[]): void {
    try {
      this.channel.tell(tell, keys);
    } catch {
      // See above.
    }
  }
}

/** For a process that was not started by an engine: there are no others. */
export const NO_OTHER_PROCESSES = new OtherProcesses();
